package dev.eventing.sdk.projector;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image needs to read and create settings by their names. */
final class SettingsHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), ProjectorSettings.class,
				ProjectorSettings.DeadLetters.class);
	}

}
