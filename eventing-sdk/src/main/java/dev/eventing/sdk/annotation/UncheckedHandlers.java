package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

import dev.eventing.sdk.annotation.processing.ProjectorHandlerProcessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NativeDetector;

/**
 * Tells of classes whose handlers the compiler has not checked, because it did not run
 * the processor. What it would have found, a start finds, too.
 */
final class UncheckedHandlers {

	private static final Logger logger = LoggerFactory.getLogger(UncheckedHandlers.class);

	private final Set<String> classes = new TreeSet<>();

	/** Looks at the handlers of a bean. */
	void look(Collection<Method> handlers) {
		// A native image has none of the resources by which it is known.
		if (!NativeDetector.inNativeImage()) {
			handlers.stream()
				// The processor does not look for composed annotations.
				.filter((method) -> method.isAnnotationPresent(ProjectorEventHandler.class))
				.map(Method::getDeclaringClass)
				.filter((type) -> !isChecked(type))
				.forEach((type) -> this.classes.add(type.getSimpleName()));
		}
	}

	private static boolean isChecked(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		return loader == null || loader.getResource(ProjectorHandlerProcessor.CHECKED + type.getName()) != null;
	}

	/** Once, of all of them. */
	void tell() {
		if (!this.classes.isEmpty()) {
			logger
				.info("The compiler has not checked the handlers of {}; this start has. Consider eventing-sdk among the"
						+ " annotationProcessorPaths of the compiler, or -proc:full from JDK 23 on, to see mistakes earlier.",
						this.classes);
		}
	}

}
