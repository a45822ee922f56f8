package dev.eventing.sdk.autoconfigure;

import java.util.List;

/**
 * The records of a module's properties, so that the SDK does not warn of them. A module
 * names its implementation in {@code META-INF/spring.factories}.
 *
 * @since 0.1.0
 */
public interface PropertyRecords {

	/**
	 * The records, each with
	 * {@link org.springframework.boot.context.properties.ConfigurationProperties}.
	 */
	List<Class<? extends Record>> records();

}
