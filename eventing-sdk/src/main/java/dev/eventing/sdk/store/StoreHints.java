package dev.eventing.sdk.store;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image needs for the store's own JSON and for notifications. */
final class StoreHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), StoredMetadata.class);
		hints.reflection()
			.registerTypeIfPresent(loader, PostgresNotifications.DRIVER, MemberCategory.INVOKE_PUBLIC_METHODS);
	}

}
