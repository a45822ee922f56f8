package dev.eventing.sdk.annotation;

import java.util.List;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The SDK in one context, and what it looks for in another one below. */
class ChildContextsTests extends HandlerSamples {

	@Test
	void refusesHandlersThatNobodyWouldCall() {
		try (AnnotationConfigApplicationContext above = above();
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(Seen.class, Plain.class);
			below.setDisplayName("orders");
			assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(below::refresh)
				.satisfies((ex) -> assertThat(ex.problems()).singleElement()
					.asString()
					.contains(Plain.class.getName(), "context 'orders'", "the SDK is in a context above", "Consider"));
			assertThat(above.isActive()).isTrue();
		}
	}

	@Test
	void refusesBeansOfEachKindThatTheSdkWouldNotSee() {
		try (AnnotationConfigApplicationContext above = above();
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(Seen.class, Plain.class, Work.class);
			below.setDisplayName("orders");
			assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(below::refresh).satisfies((ex) -> {
				assertThat(ex.headline()).isEqualTo("These beans would do nothing:");
				assertThat(ex.problems()).hasSize(2)
					.anySatisfy((problem) -> assertThat(problem).contains(Plain.class.getName(),
							"context 'orders': it has handlers, but the SDK is in a context above", "Consider"))
					.anySatisfy((problem) -> assertThat(problem).contains(Work.class.getName(),
							"context 'orders': it is a job, but the SDK is in a context above", "Consider"));
			});
		}
	}

	@Test
	void refusesABeanOfWhichOnlyAnInterfaceIsDeclared() {
		assertThat(problemsOf(Declared.class)).singleElement().asString().contains("'job'", Work.class.getName());
	}

	@Test
	void refusesALazyBeanOfItsOwnClass() {
		assertThat(problemsOf(LazyWork.class)).singleElement().asString().contains(LazyWork.class.getName());
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void warnsOfALazyBeanOfWhichOnlyAnInterfaceIsDeclared(CapturedOutput output) {
		try (AnnotationConfigApplicationContext above = above();
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(DeclaredLazily.class);
			below.setDisplayName("orders");
			below.refresh();
			assertThat(output)
				.contains("Of these lazy beans of context 'orders' only an interface or a base class is known")
				.contains("[job (" + Job.class.getName() + ")]");
			assertThat(below.getBean(Job.class)).isSameAs(below.getBean("job")).isInstanceOf(Work.class);
			assertThat(output).containsOnlyOnce("Bean 'job' (" + Work.class.getName()
					+ ") of context 'orders' is a job, but the SDK is in a context above and does not see it.");
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void warnsOnceOfAPrototypeWhoseTypeDoesNotShowItsKind(CapturedOutput output) {
		try (AnnotationConfigApplicationContext above = above();
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(DeclaredAsPrototype.class);
			below.refresh();
			assertThat(output).doesNotContain("Bean 'job'").doesNotContain("Of these lazy beans");
			assertThat(below.getBean("job")).isNotSameAs(below.getBean("job"));
			assertThat(output).containsOnlyOnce("Bean 'job' (" + Work.class.getName() + ") of context '");
		}
	}

	@Test
	void letsAContextWithoutHandlersBe() {
		try (AnnotationConfigApplicationContext above = above();
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(Seen.class);
			assertThatNoException().isThrownBy(below::refresh);
		}
	}

	@Test
	void letsAContextBeThatHasTheSdkItself() {
		try (AnnotationConfigApplicationContext above = above();
				AnnotationConfigApplicationContext below = below(above)) {
			below.registerBean(ProjectorAnnotationBeanPostProcessor.class);
			below.registerBean(ProjectorEndpoints.class, () -> (endpoint) -> assertThat(endpoint.name()).isNotNull());
			below.register(Seen.class, Plain.class);
			assertThatNoException().isThrownBy(below::refresh);
			assertThat(List.of(below.getBeanNamesForType(Plain.class))).hasSize(1);
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void warnsOfABeanThatCodeOfItsContextMayUse(CapturedOutput output) {
		try (AnnotationConfigApplicationContext above = above();
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(Tool.class);
			below.setDisplayName("orders");
			assertThatNoException().isThrownBy(below::refresh);
			assertThat(output).containsOnlyOnce("(" + Tool.class.getName()
					+ ") of context 'orders' is a tool, but the SDK is in a context above and does not see it. Consider"
					+ " declaring it there, unless code of this context uses it.");
		}
	}

	/** The nearest context with the SDK looks, and no other one above it. */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void warnsOnceThoughTwoContextsAboveHaveTheSdk(CapturedOutput output) {
		try (AnnotationConfigApplicationContext top = above();
				AnnotationConfigApplicationContext middle = withTheSdk(below(top));
				AnnotationConfigApplicationContext below = below(middle)) {
			below.register(Tool.class, DeclaredLazily.class);
			assertThatNoException().isThrownBy(below::refresh);
			assertThat(below.getBean(Job.class)).isNotNull();
			assertThat(output).containsOnlyOnce(" is a tool, but")
				.containsOnlyOnce("Of these lazy beans")
				.containsOnlyOnce(" is a job, but");
		}
	}

	private static AnnotationConfigApplicationContext above() {
		return withTheSdk(new AnnotationConfigApplicationContext());
	}

	private static @Nullable BeanKind kindOf(Class<?> type) {
		if (Work.class.isAssignableFrom(type)) {
			return new BeanKind("is a job", true);
		}
		return Tool.class.isAssignableFrom(type) ? new BeanKind("is a tool", false) : null;
	}

	private static AnnotationConfigApplicationContext withTheSdk(AnnotationConfigApplicationContext context) {
		context.registerBean(ProjectorAnnotationBeanPostProcessor.class);
		context.registerBean(BeanKinds.class, () -> ChildContextsTests::kindOf);
		context.register(ChildContexts.class);
		context.refresh();
		return context;
	}

	private static List<String> problemsOf(Class<?> declaration) {
		try (AnnotationConfigApplicationContext above = above();
				AnnotationConfigApplicationContext below = below(above)) {
			below.register(declaration);
			InvalidDeclarationException failure = catchThrowableOfType(InvalidDeclarationException.class,
					below::refresh);
			assertThat(failure).as("the start-up error").isNotNull();
			return failure.problems();
		}
	}

	private static AnnotationConfigApplicationContext below(AnnotationConfigApplicationContext above) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.setParent(above);
		return context;
	}

	/** Does not show what its classes are. */
	interface Job {

	}

	static class Work implements Job {

	}

	static class Tool {

	}

	@Lazy
	static class LazyWork extends Work {

	}

	@Configuration(proxyBeanMethods = false)
	static class Declared {

		@Bean
		Job job() {
			return new Work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredLazily {

		@Bean
		@Lazy
		Job job() {
			return new Work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredAsPrototype {

		@Bean
		@Scope("prototype")
		Job job() {
			return new Work();
		}

	}

}
