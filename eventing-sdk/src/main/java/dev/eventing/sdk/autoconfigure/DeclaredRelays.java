package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.autoconfigure.EventingProperties.Relay;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.relay.RelayOptions;

import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.core.env.Environment;

/** Creates a bean for each relay that {@code eventing.relays.<name>} declares. */
final class DeclaredRelays implements BeanRegistrar {

	static final String PREFIX = "eventing.relays";

	@Override
	public void register(BeanRegistry registry, Environment environment) {
		NameSpellings.bind(PREFIX, Relay.class, environment).forEach((name, relay) -> register(registry, name, relay));
	}

	private static void register(BeanRegistry registry, String name, Relay relay) {
		if (relay.enabled()) {
			registry.registerBean(PREFIX + "." + name, RelayOptions.class,
					(bean) -> bean.supplier((context) -> relay.named(name, () -> context.bean(EventSubjects.class))));
		}
	}

}
