package dev.eventing.sdk.config;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image needs for what is asked of Hibernate by reflection. */
final class HibernateHints implements RuntimeHintsRegistrar {

	private static final List<String> ASKED = List.of(SessionFactories.FACTORY, SessionFactories.SESSIONS,
			CachedEntities.METAMODEL, CachedEntities.ENTITY, CachedEntities.COLLECTION, TenantResolvers.OPTIONS,
			TenantResolvers.RESOLVER);

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		ASKED.forEach(
				(type) -> hints.reflection().registerTypeIfPresent(loader, type, MemberCategory.INVOKE_PUBLIC_METHODS));
	}

}
