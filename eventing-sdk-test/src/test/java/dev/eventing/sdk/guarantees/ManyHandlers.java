package dev.eventing.sdk.guarantees;

import java.lang.reflect.Modifier;
import java.util.stream.IntStream;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.implementation.StubMethod;

/**
 * Handlers of as many projectors as a test wants, each of which does nothing with the
 * events of all accounts. Each has its own class, as projectors have.
 */
final class ManyHandlers {

	/** The prefix of the projectors' names. */
	static final String PROJECTOR = "many-";

	private ManyHandlers() {
	}

	/** Handlers of the projectors {@code many-0}, {@code many-1} and so on. */
	static Object[] of(int projectors) {
		return IntStream.range(0, projectors).mapToObj(ManyHandlers::handler).toArray();
	}

	private static Object handler(int number) {
		try {
			return new ByteBuddy().subclass(Object.class)
				.name(ManyHandlers.class.getPackageName() + ".Many" + number)
				.defineMethod("on", void.class, Modifier.PUBLIC)
				.withParameters(Deposited.class)
				.intercept(StubMethod.INSTANCE)
				.annotateMethod(AnnotationDescription.Builder.ofType(ProjectorEventHandler.class)
					.define("subject", "${root}.{tenant}.deposited")
					.define("projectorName", PROJECTOR + number)
					.build())
				.make()
				.load(ManyHandlers.class.getClassLoader())
				.getLoaded()
				.getDeclaredConstructor()
				.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
