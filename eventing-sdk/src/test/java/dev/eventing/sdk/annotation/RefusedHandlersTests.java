package dev.eventing.sdk.annotation;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.event.EventType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Scope;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RefusedHandlersTests extends HandlerSamples {

	record Shipped(String id) {
	}

	/** Nothing can create it. */
	static final class Sealed {

		private final String id;

		@SuppressWarnings("UnusedMethod")
		private Sealed(String id, int number) {
			this.id = id + number;
		}

		@Override
		public String toString() {
			return this.id;
		}

	}

	static class TakesSealed {

		@ProjectorEventHandler(subject = "{tenant}.sealed")
		public void on(Sealed event) {
			throw new IllegalStateException(String.valueOf(event));
		}

	}

	@EventType("order.changed")
	interface Unimplemented {

	}

	static class TakesInterface {

		@ProjectorEventHandler(subject = "{tenant}.changed")
		public void on(Unimplemented event) {
			throw new IllegalStateException(String.valueOf(event));
		}

	}

	@Nested
	class Refuses {

		@Test
		void anInterfaceProxyWithoutTheMethod() {
			assertThat(TestContext.problemsOf(Seen.class, InterfaceProxies.class, NotInInterface.class))
				.containsExactly("Handler NotInInterface.on(Placed) of bean '" + name(NotInInterface.class)
						+ "': its bean is an interface-based (JDK) proxy, and none of its interfaces has the method. "
						+ "Consider declaring the method in an interface of NotInInterface, or subclass (CGLIB) "
						+ "proxies with proxyTargetClass = true.");
		}

		@Test
		void aFinalMethodBehindASubclassProxy() {
			assertThat(TestContext.problemsOf(Seen.class, SubclassProxies.class, FinalMethod.class)).singleElement()
				.asString()
				.contains("FinalMethod.on(Placed)", "cannot override the method",
						"Consider making it public and not final");
		}

		@Test
		void privateAndStaticMethods() {
			assertThat(TestContext.problemsOf(PrivateMethod.class, StaticMethod.class)).satisfiesExactlyInAnyOrder(
					(problem) -> assertThat(problem).contains("PrivateMethod.on(Placed)", "private"),
					(problem) -> assertThat(problem).contains("StaticMethod.on(Placed)", "static"));
		}

		@Test
		void aPrototypeEvenIfItHasBeenCreated() {
			assertThat(TestContext.problemsOf(Seen.class, Prototype.class, WantsPrototype.class)).singleElement()
				.asString()
				.contains("Bean '" + name(Prototype.class) + "'", "is not a singleton",
						"Consider making it a singleton, or using a scoped proxy for its scope");
		}

		/** Else each event would be a dead letter. */
		@Test
		void aPayloadThatCanNeverBeBound() {
			assertThat(TestContext.problemsOf(TakesSealed.class)).singleElement()
				.asString()
				.contains("TakesSealed.on(Sealed)", "no payload can be bound to " + Sealed.class.getName(),
						"Cannot construct instance", "Consider a record");
		}

		@Test
		void anAbstractTypeOfWhichTheMapperKnowsNoClass() {
			assertThat(TestContext.problemsOf(TakesInterface.class)).singleElement()
				.asString()
				.contains("no payload can be bound to " + Unimplemented.class.getName(),
						"abstract types either need to be mapped to concrete types");
		}

		@Test
		void asynchronousExecution() {
			assertThat(TestContext.problemsOf(AsyncHandler.class)).singleElement().asString().contains("@Async");
		}

		@Test
		void leavingTheTransaction() {
			assertThat(TestContext.problemsOf(OwnTransaction.class, ClassWithoutTransaction.class)).hasSize(2)
				.allSatisfy((problem) -> assertThat(problem).contains("@Transactional does not join its event"));
		}

		@Test
		void aProjectorWithoutHandlers() {
			assertThat(TestContext.problemsOf(NoHandlers.class)).singleElement()
				.asString()
				.contains("@Projector but no handler");
		}

		@Test
		void projectorsNobodyWouldRun() {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				context.register(ProjectorAnnotationBeanPostProcessor.class, Seen.class, Plain.class);
				assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(context::refresh)
					.withMessageContaining("Projectors [Plain-on]: no bean runs them. Consider @EnableEventing");
			}
		}

		@Test
		void everythingAtOnceWithNothingRegistered() {
			assertThat(
					TestContext.problemsOf(Seen.class, Plain.class, PrivateMethod.class, NoHandlers.class, Bad.class))
				.hasSize(5);
		}

	}

	@Transactional
	static class FinalMethod {

		void other() {
		}

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		public final void on(Placed event) {
		}

	}

	static class PrivateMethod {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		@SuppressWarnings({ "UnusedMethod", "UnusedVariable" })
		private void on(Placed event) {
		}

	}

	static class StaticMethod {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		static void on(Placed event) {
		}

	}

	@Scope("prototype")
	static class Prototype extends Plain {

		Prototype(Seen seen) {
			super(seen);
		}

	}

	static class WantsPrototype {

		WantsPrototype(ObjectProvider<Prototype> prototypes) {
			prototypes.getObject();
			prototypes.getObject();
		}

	}

	static class AsyncHandler {

		@Async
		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	static class OwnTransaction {

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	@Transactional(propagation = Propagation.NOT_SUPPORTED)
	static class ClassWithoutTransaction {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

	}

	@Projector("nothing")
	static class NoHandlers {

	}

	static class Bad {

		@ProjectorEventHandler(subject = "{tenant}..placed")
		int on(Placed event) {
			return 1;
		}

		@ProjectorEventHandler(subject = "{tenant}.order.shipped", ackWait = 10)
		void onShipped(Shipped event) {
		}

	}

}
