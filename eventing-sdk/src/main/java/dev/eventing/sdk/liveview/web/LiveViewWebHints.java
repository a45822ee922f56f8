package dev.eventing.sdk.liveview.web;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** A native image's hints for the modules for browsers. */
public final class LiveViewWebHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		hints.resources().registerPattern(LiveScript.FOLDER.substring(1) + "/*.js");
	}

}
