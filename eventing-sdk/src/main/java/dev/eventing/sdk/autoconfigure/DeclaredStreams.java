package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.autoconfigure.EventingProperties.Stream;
import dev.eventing.sdk.nats.StreamSpec;

import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

/** Creates a bean for each stream that {@code eventing.streams.<NAME>} declares. */
final class DeclaredStreams implements BeanRegistrar {

	static final String PREFIX = "eventing.streams";

	@Override
	public void register(BeanRegistry registry, Environment environment) {
		NameSpellings.bind(PREFIX, Stream.class, environment)
			.forEach((name, stream) -> register(registry, name, stream));
	}

	private static void register(BeanRegistry registry, String name, Stream stream) {
		if (stream.subjects().isEmpty()) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + "." + name + ".subjects", null,
					"A stream without subjects stores nothing.");
		}
		registry.registerBean(PREFIX + "." + name, StreamSpec.class,
				(bean) -> bean.supplier((context) -> stream.named(name)));
	}

}
