package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.liveview.LiveViewAccess;

/**
 * An application would lack what its parts need, or would show data to anyone. It does
 * not start.
 */
public class StartRefusedException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Creates an exception that is reported as it is, without a stack trace.
	 * @param message what is wrong, and what to consider
	 * @param action what to do before the next start, as sentences
	 */
	public StartRefusedException(String message, String action) {
		super(message);
		this.action = action;
	}

	/**
	 * There are projectors or relays but no DataSource, so they could not run.
	 * @param what the projectors or relays
	 */
	static StartRefusedException withoutDataSource(String what) {
		return new StartRefusedException(
				what + " cannot run: the application has no DataSource. Consider a driver, a connection pool and "
						+ "'spring.datasource.url', a bean of type DataSource, or eventing.enabled=false.",
				"Add 'org.springframework.boot:spring-boot-starter-jdbc' and 'org.postgresql:postgresql', and set "
						+ "'spring.datasource.url'. If they are present, check whether 'spring.autoconfigure.exclude' or an "
						+ "annotation excludes DataSourceAutoConfiguration. If projectors and relays are not to run, set "
						+ "'eventing.enabled=false'.");
	}

	/** Live views would be served to browsers, and nothing decides who may see them. */
	static StartRefusedException unguardedLiveViews() {
		return new StartRefusedException(
				"'eventing.live-views.web.enabled' is true, but no bean decides who may see live views. Consider a bean of "
						+ "type '" + LiveViewAccess.class.getName() + "', or remove the property.",
				"Define a bean of type '" + LiveViewAccess.class.getName()
						+ "' that returns the tenant whose state a request may see, or remove "
						+ "'eventing.live-views.web.enabled'.");
	}

	/** What to do before the next start, as sentences. */
	public String action() {
		return this.action;
	}

}
