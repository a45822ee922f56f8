package dev.eventing.sdk.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UncheckedHandlersTests {

	private final UncheckedHandlers unchecked = new UncheckedHandlers();

	@Test
	void areToldOnceWithTheirClasses(CapturedOutput output) {
		look(Unchecked.class);
		look(Other.class);
		this.unchecked.tell();
		assertThat(output)
			.containsOnlyOnce("The compiler has not checked the handlers of [Other, Unchecked]; this start"
					+ " has. Consider eventing-sdk among the annotationProcessorPaths");
	}

	/** By the resource that the processor writes. */
	@Test
	void areNoneWhereTheProcessorRan(CapturedOutput output) {
		look(Checked.class);
		this.unchecked.tell();
		assertThat(output).isEmpty();
	}

	@Test
	void areNoneWithComposedAnnotationsWhichTheProcessorDoesNotCheck(CapturedOutput output) {
		look(Composed.class);
		this.unchecked.tell();
		assertThat(output).isEmpty();
	}

	private void look(Class<?> type) {
		this.unchecked.look(List.of(type.getDeclaredMethods()));
	}

	static class Unchecked {

		@ProjectorEventHandler(subject = "a.{tenant}")
		void on(String event) {
		}

	}

	static class Other extends Unchecked {

		@Override
		@ProjectorEventHandler(subject = "b.{tenant}")
		void on(String event) {
		}

	}

	static class Checked {

		@ProjectorEventHandler(subject = "a.{tenant}")
		void on(String event) {
		}

	}

	static class Composed {

		@OnOrders
		void on(String event) {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@ProjectorEventHandler(subject = "a.{tenant}")
	@interface OnOrders {

	}

}
