package dev.eventing.sdk.annotation;

import java.io.IOException;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CallsHandlersTests extends HandlerSamples {

	@Nested
	class CallsThroughTheProxy {

		@Test
		void ofASubclass() throws Exception {
			try (TestContext context = new TestContext(Seen.class, SubclassProxies.class, InTransaction.class)
				.start()) {
				assertThat(AopUtils.isCglibProxy(context.bean(InTransaction.class))).isTrue();
				assertThat(context.endpoint().name()).isEqualTo("InTransaction-on");
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).transactional).containsExactly(true);
			}
		}

		@Test
		void ofAnInterface() throws Exception {
			try (TestContext context = new TestContext(Seen.class, InterfaceProxies.class, ThroughInterface.class)
				.start()) {
				assertThat(AopUtils.isJdkDynamicProxy(context.bean(PlacedListener.class))).isTrue();
				assertThat(context.endpoint().name()).isEqualTo("ThroughInterface-on");
				assertThat(context.handler().description()).isEqualTo("ThroughInterface.on(Placed)");
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).transactional).containsExactly(true);
			}
		}

		@Test
		void thatACircleOfBeansGotEarly() throws Exception {
			try (TestContext context = new TestContext(Seen.class, SubclassProxies.class, Circular.class, Other.class)
				.start()) {
				context.deliver(TestContext.event(PLACED));
				assertThat(context.bean(Seen.class).transactional).containsExactly(true);
			}
		}

		@Test
		void andSurfacesACheckedExceptionTheMethodDoesNotDeclare() {
			try (TestContext context = new TestContext(Seen.class, SubclassProxies.class, Sneaky.class).start()) {
				assertThatExceptionOfType(IOException.class)
					.isThrownBy(() -> context.deliver(TestContext.event(PLACED)))
					.withMessage("sneaky");
			}
		}

	}

	@Nested
	class SurfacesWhatTheHandlerThrows {

		@Test
		void anException() {
			try (TestContext context = new TestContext(ThrowsChecked.class).start()) {
				assertThatExceptionOfType(IOException.class)
					.isThrownBy(() -> context.deliver(TestContext.event(PLACED)))
					.withMessage("disk");
			}
		}

		@Test
		void anError() {
			try (TestContext context = new TestContext(ThrowsError.class).start()) {
				assertThatExceptionOfType(StackOverflowError.class)
					.isThrownBy(() -> context.deliver(TestContext.event(PLACED)));
			}
		}

	}

	@Transactional
	static class InTransaction {

		@Autowired
		Seen seen;

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			this.seen.add(event);
		}

	}

	interface PlacedListener {

		void on(Placed event);

	}

	@Transactional
	static class ThroughInterface implements PlacedListener {

		@Autowired
		Seen seen;

		@Override
		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		public void on(Placed event) {
			this.seen.add(event);
		}

	}

	@Transactional
	static class Circular {

		@Autowired
		Seen seen;

		@Autowired
		Other other;

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			this.seen.add(event);
		}

	}

	static class Other {

		@Autowired
		Circular circular;

	}

	@Transactional
	static class Sneaky {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			throwAny(new IOException("sneaky"));
		}

		@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
		private static <T extends Throwable> void throwAny(Throwable thrown) throws T {
			throw (T) thrown;
		}

	}

	static class ThrowsChecked {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) throws IOException {
			throw new IOException("disk");
		}

	}

	static class ThrowsError {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			throw new StackOverflowError();
		}

	}

}
