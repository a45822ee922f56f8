package dev.eventing.sdk.autoconfigure;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * The variables that Kubernetes sets in each container for each service of its namespace.
 * Those of a service such as {@code eventing-nats} begin like properties. Immutable.
 */
final class ServiceVariables {

	/** Each service has a variable with this end. */
	private static final String HOST = "_SERVICE_HOST";

	/** What all variables of a service begin with, such as {@code EVENTING_NATS}. */
	private final Set<String> services;

	/**
	 * Finds the services.
	 * @param variables the names of all variables of an environment
	 */
	ServiceVariables(Stream<ConfigurationPropertyName> variables) {
		this.services = variables.map(KnownVariables::variable)
			.filter((variable) -> variable.endsWith(HOST))
			.map((variable) -> variable.substring(0, variable.length() - HOST.length()))
			.collect(Collectors.toUnmodifiableSet());
	}

	/** Whether the variable is one of a service. */
	boolean has(ConfigurationPropertyName variable) {
		String name = KnownVariables.variable(variable);
		return this.services.stream()
			.anyMatch((service) -> name.startsWith(service + "_SERVICE_") || name.equals(service + "_PORT")
					|| name.startsWith(service + "_PORT_"));
	}

}
