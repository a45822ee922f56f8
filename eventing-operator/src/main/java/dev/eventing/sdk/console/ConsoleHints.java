package dev.eventing.sdk.console;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image needs for the files of the page, and for its session. */
public final class ConsoleHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		hints.resources().registerPattern(ConsoleFile.FOLDER.substring(1) + "*");
		hints.reflection().registerTypeIfPresent(loader, SecurityToken.OF_SPRING_SECURITY);
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), Session.class);
	}

}
