package dev.eventing.sdk.nats;

import io.nats.client.Options;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** What a native image needs for what the client creates and reads by name. */
final class NatsHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		hints.reflection()
			.registerType(DeliveryPort.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS)
			.registerType(TypeReference.of(Options.DEFAULT_DATA_PORT_TYPE), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
		hints.resources().registerPattern("io/nats/jnats/version.properties");
	}

}
