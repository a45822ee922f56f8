package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.EventingException;

/**
 * An application has projectors or relays but no DataSource. It does not start, because
 * they could not run.
 */
public class DataSourceMissingException extends EventingException {

	private static final long serialVersionUID = 1L;

	DataSourceMissingException(String what) {
		super(what + " cannot run: the application has no DataSource. Consider a driver, a connection pool and "
				+ "'spring.datasource.url', a bean of type DataSource, or eventing.enabled=false.");
	}

}
