package dev.eventing.sdk.annotation;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.PayloadTypes;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Finds classes of events, taken by handlers or by folds whose {@link PayloadTypes} are a
 * bean, that events of an earlier version could not be bound to.
 */
final class VersionChains {

	private final ListableBeanFactory context;

	private final Problems problems;

	VersionChains(ListableBeanFactory context, Problems problems) {
		this.context = context;
		this.problems = problems;
	}

	void check(List<HandlerDeclaration> handlers) {
		EventVersions versions = this.context.getBeanProvider(EventVersions.class)
			.getIfAvailable(() -> EventVersions.NONE);
		Set<Class<?>> checked = new LinkedHashSet<>();
		handlers
			.forEach((handler) -> check(handler.where(), handler.method().eventClasses().values(), versions, checked));
		this.context.getBeansOfType(PayloadTypes.class)
			.forEach((name, types) -> check("Bean '" + name + "'", classesOf(types), versions, checked));
	}

	private static Collection<? extends Class<?>> classesOf(PayloadTypes<?> types) {
		return types.byName().values();
	}

	private void check(String where, Collection<? extends Class<?>> classes, EventVersions versions,
			Set<Class<?>> checked) {
		classes.stream()
			.filter(checked::add)
			.forEach((type) -> this.problems.check(where, () -> versions.requireComplete(type)));
	}

}
