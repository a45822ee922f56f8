package dev.eventing.sdk.event;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image needs for expressions over events, which name keys. */
final class EventHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		hints.reflection()
			.registerType(Event.class, MemberCategory.INVOKE_PUBLIC_METHODS)
			.registerType(TenantId.class, MemberCategory.INVOKE_PUBLIC_METHODS)
			.registerType(EventHeaders.class, MemberCategory.INVOKE_PUBLIC_METHODS);
	}

}
