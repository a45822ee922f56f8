package dev.eventing.sdk.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * What a native image needs to know the names of all properties, also of those that
 * nothing binds.
 */
final class PropertiesHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		BindableRuntimeHintsRegistrar.forTypes(UnknownProperties.records().toArray(Class<?>[]::new))
			.registerHints(hints);
	}

}
