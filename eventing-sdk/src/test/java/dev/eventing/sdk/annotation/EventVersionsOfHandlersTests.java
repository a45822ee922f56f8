package dev.eventing.sdk.annotation;

import java.util.List;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.projector.HandlerMethod;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** Versions and aliases of the types that handlers take. */
class EventVersionsOfHandlersTests {

	@Test
	void aHandlerTakesEachNameOfAType() {
		try (TestContext context = new TestContext(Renaming.class).start()) {
			assertThat(context.handler().payloadTypes()).containsOnlyKeys("order.placed", "OrderCreated", "Cancelled");
		}
	}

	@Test
	void aSubjectWithTheTypeIsOneForEachName() {
		try (TestContext context = new TestContext(PerType.class).start()) {
			assertThat(context.endpoint().name()).isEqualTo("PerType-on");
			assertThat(context.endpoint().filterSubjects()).containsExactlyInAnyOrder("order.*.order.placed",
					"order.*.OrderCreated", "order.*.Cancelled");
			HandlerMethod old = context.endpoint().handlerOf("OrderCreated", "order.acme.OrderCreated");
			assertThat(old).isNotNull();
			assertThat(context.endpoint().handlerOf("order.placed", "order.acme.OrderCreated")).isNull();
			assertThat(context.endpoint().tenantToken("order.placed", "order.acme.order.placed")).isEqualTo("acme");
		}
	}

	@Test
	void aHandlerOfAnyTypeHasNoTypeInItsSubject() {
		assertThat(TestContext.problemsOf(AnyType.class)).singleElement()
			.asString()
			.contains("AnyType.on(JsonNode)", "has {type}, but it takes events of any type");
	}

	@Test
	void aVersionWithoutUpcastersIsRefused() {
		assertThat(TestContext.problemsOf(Raised.class)).singleElement()
			.asString()
			.contains("Raised.on(Changed)", "from version 1 of event type 'order.changed' to version 2");
		assertThat(TestContext.problemsOf(Folds.class)).singleElement()
			.asString()
			.contains("Bean 'changes'", "from version 1 of event type 'order.changed' to version 2");
	}

	@Test
	void anAliasThatIsTheNameOfAnotherClassIsRefused() {
		assertThat(TestContext.problemsOf(Overlapping.class)).singleElement()
			.asString()
			.contains("which both have the event type 'Cancelled'");
		assertThat(TestContext.problemsOf(TwoHandlers.class)).singleElement()
			.asString()
			.contains("both take event type 'OrderCreated'");
	}

	sealed interface OrderEvent {

	}

	@EventType(value = "order.placed", aliases = "OrderCreated")
	record Placed(String id) implements OrderEvent {
	}

	record Cancelled(String id) implements OrderEvent {
	}

	@EventType(value = "order.changed", version = 2)
	record Changed(String id) {
	}

	sealed interface Overlap {

	}

	@EventType(value = "order.called-off", aliases = "Cancelled")
	record CalledOff(String id) implements Overlap {
	}

	@EventType("Cancelled")
	record AlsoCancelled(String id) implements Overlap {
	}

	@EventType("OrderCreated")
	record Created(String id) {
	}

	static class Renaming {

		@ProjectorEventHandler(subject = "orders")
		void on(OrderEvent event) {
		}

	}

	static class PerType {

		@ProjectorEventHandler(subject = "order.{tenant}.{type}")
		void on(List<Event<OrderEvent>> events) {
		}

	}

	static class AnyType {

		@ProjectorEventHandler(subject = "order.{tenant}.{type}")
		void on(JsonNode event) {
		}

	}

	static class Raised {

		@ProjectorEventHandler(subject = "orders")
		void on(Changed event) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Folds {

		@Bean
		PayloadTypes<Changed> changes() {
			return PayloadTypes.of(Changed.class);
		}

	}

	static class Overlapping {

		@ProjectorEventHandler(subject = "orders")
		void on(Overlap event) {
		}

	}

	static class TwoHandlers {

		@ProjectorEventHandler(subject = "orders", projectorName = "orders")
		void on(Placed event) {
		}

		@ProjectorEventHandler(subject = "orders", projectorName = "orders")
		void created(Created event) {
		}

	}

}
