package dev.eventing.sdk.annotation;

import java.util.List;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** The SDK in one context, and handlers in another one below. */
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

	private static AnnotationConfigApplicationContext above() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(ProjectorAnnotationBeanPostProcessor.class);
		context.register(ChildContexts.class);
		context.refresh();
		return context;
	}

	private static AnnotationConfigApplicationContext below(AnnotationConfigApplicationContext above) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.setParent(above);
		return context;
	}

}
