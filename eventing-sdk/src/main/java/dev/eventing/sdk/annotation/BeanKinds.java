package dev.eventing.sdk.annotation;

import org.jspecify.annotations.Nullable;

/**
 * The kinds of beans that the SDK looks for in its context, beside beans with handlers.
 * With them it notices beans that it does not find, because they are in a context below,
 * or their declared type does not show their kind. Implementations are thread-safe.
 */
@FunctionalInterface
public interface BeanKinds {

	/** No kinds. */
	BeanKinds NONE = (type) -> null;

	/**
	 * Returns the kind of the beans of a class; null if the SDK does not look for them.
	 * @param type the class without proxies
	 */
	@Nullable BeanKind kindOf(Class<?> type);

}
