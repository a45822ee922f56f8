package dev.eventing.sdk.annotation;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.ReadModelWriter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.node.JsonNodeFactory;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

class AcceptedSignaturesTests extends SignatureSamples {

	record MovedFast(String id) implements Moved {
	}

	private static final Event<Placed> EVENT = TestContext.event(new Placed("o-1"));

	private static final Event<Placed> SECOND = TestContext.event(new Placed("o-2"));

	@Nested
	class Accepts {

		@Test
		void eventIdAndTenantAsText() throws Exception {
			assertThat(call(WithIdAndTenant.class)).containsExactly(EVENT.payload(), EVENT.id(), "acme");
		}

		@Test
		void eventIdAndTenantAsValue() throws Exception {
			assertThat(call(WithTenantId.class)).containsExactly(EVENT.payload(), EVENT.id(), TenantId.of("acme"));
		}

		@Test
		void theEnvelope() throws Exception {
			assertThat(call(Envelope.class)).containsExactly(EVENT);
		}

		@Test
		void theEnvelopeWithIdAndTenant() throws Exception {
			assertThat(call(EnvelopeWithIdAndTenant.class)).containsExactly(EVENT, EVENT.id(), "acme");
		}

		@Test
		void aWriterAsTheLastParameterOfEach() throws Exception {
			assertThat(call(PayloadAndWriter.class)).containsExactly(EVENT.payload(), TestContext.WRITER);
			assertThat(call(IdTenantAndWriter.class)).containsExactly(EVENT.payload(), EVENT.id(), "acme",
					TestContext.WRITER);
			assertThat(call(EnvelopeAndWriter.class)).containsExactly(EVENT, TestContext.WRITER);
			assertThat(call(EnvelopeIdTenantAndWriter.class)).containsExactly(EVENT, EVENT.id(), TenantId.of("acme"),
					TestContext.WRITER);
		}

		@Test
		void effectsAndAModeInAnyOrderBehindTheOthers() throws Exception {
			assertThat(call(PayloadAndEffects.class)).containsExactly(EVENT.payload(), TestContext.EFFECTS);
			assertThat(call(EverythingBehind.class)).containsExactly(EVENT, EVENT.id(), "acme", HandlerMode.REDRIVE,
					TestContext.EFFECTS, TestContext.WRITER);
			try (TestContext context = new TestContext(Called.class, EverythingBehind.class).start()) {
				assertThat(context.handler().effects()).isTrue();
			}
			try (TestContext context = new TestContext(Called.class, BatchAndMode.class).start()) {
				assertThat(context.handler().effects()).isFalse();
				context.deliver(EVENT, SECOND);
				assertThat(context.bean(Called.class).arguments).containsExactly(List.of(EVENT, SECOND),
						HandlerMode.REDRIVE);
			}
		}

		@Test
		void aBatchWithAWriter() throws Exception {
			try (TestContext context = new TestContext(Called.class, BatchAndWriter.class).start()) {
				assertThat(context.handler().batch()).isTrue();
				context.deliver(EVENT, SECOND);
				assertThat(context.bean(Called.class).arguments).containsExactly(List.of(EVENT, SECOND),
						TestContext.WRITER);
			}
		}

		@Test
		void aBatch() throws Exception {
			try (TestContext context = new TestContext(Called.class, Batch.class).start()) {
				assertThat(context.handler().batch()).isTrue();
				assertThat(context.handler().payloadTypes().values()).containsExactly(Placed.class);
				assertThat(context.handler().payloadTypes()).containsOnlyKeys("order.placed");
				assertThat(context.handler().description()).isEqualTo("Batch.on(List<Event<Placed>>)");
				context.deliver(EVENT, SECOND);
				assertThat(context.bean(Called.class).arguments).containsExactly(List.of(EVENT, SECOND));
			}
		}

		@Test
		void aBatchOfAnInheritedType() {
			try (TestContext context = new TestContext(Called.class, BatchOfPlaced.class).start()) {
				assertThat(context.handler().batch()).isTrue();
				assertThat(context.handler().payloadTypes().values()).containsExactly(Placed.class);
			}
		}

		@Test
		void aGenericPayload() {
			try (TestContext context = new TestContext(GenericPayload.class).start()) {
				Type type = context.handler().payloadTypes().values().iterator().next();
				assertThat(type).isInstanceOfSatisfying(ParameterizedType.class,
						(generic) -> assertThat(generic.getActualTypeArguments()).containsExactly(Placed.class));
				assertThat(context.handler().payloadTypes()).containsOnlyKeys("Changed");
			}
		}

		@Test
		void aTreeAsAnyType() throws Exception {
			try (TestContext context = new TestContext(Called.class, Tree.class).start()) {
				assertThat(context.handler().payloadTypes()).containsOnlyKeys(HandlerMethod.ANY_TYPE);
				assertThat(context.handler().payloadTypes().values()).containsExactly(JsonNode.class);
				JsonNode payload = JsonNodeFactory.instance.objectNode();
				context.deliver(TestContext.event(payload));
				assertThat(context.bean(Called.class).arguments).containsExactly(payload);
			}
		}

		@Test
		void everythingThatASealedTypePermits() {
			try (TestContext context = new TestContext(SealedPayload.class).start()) {
				assertThat(context.handler().payloadTypes()).isEqualTo(Map.of("order.closed", Closed.class, "Cancelled",
						Cancelled.class, "Lost", Lost.class, "Reason", Reason.class, "Ended", Ended.class));
			}
		}

		@Test
		void everythingThatASealedEventTypePermits() {
			try (TestContext context = new TestContext(SaidSealed.class).start()) {
				assertThat(context.handler().payloadTypes()).containsOnlyKeys("Lost", "Reason");
			}
		}

		@Test
		void anAbstractTypeThatNamesItsEvents() {
			try (TestContext context = new TestContext(NamedInterface.class).start()) {
				assertThat(context.handler().payloadTypes()).isEqualTo(Map.of("order.changed", NamedChange.class));
			}
		}

		@Test
		void anEventTypeThatFitsTheParameter() {
			try (TestContext context = new TestContext(SaidType.class).start()) {
				assertThat(context.handler().payloadTypes()).containsOnlyKeys("MovedFast");
				assertThat(context.handler().payloadTypes().values()).containsExactly(MovedFast.class);
			}
		}

		private static List<Object> call(Class<?> handlers) throws Exception {
			try (TestContext context = new TestContext(Called.class, handlers).start()) {
				assertThat(context.handler().payloadTypes().values()).containsExactly(Placed.class);
				assertThat(context.handler().batch()).isFalse();
				context.deliver(EVENT);
				return context.bean(Called.class).arguments;
			}
		}

	}

	abstract static class Handlers {

		@Autowired
		Called called;

	}

	static class WithIdAndTenant extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event, UUID eventId, String tenantId) {
			this.called.with(event, eventId, tenantId);
		}

	}

	static class WithTenantId extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event, UUID eventId, TenantId tenantId) {
			this.called.with(event, eventId, tenantId);
		}

	}

	static class Envelope extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Event<Placed> event) {
			this.called.with(event);
		}

	}

	static class EnvelopeWithIdAndTenant extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Event<Placed> event, UUID eventId, String tenantId) {
			this.called.with(event, eventId, tenantId);
		}

	}

	static class Batch extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(List<Event<Placed>> events) {
			this.called.with(events);
		}

	}

	static class PayloadAndWriter extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event, ReadModelWriter writer) {
			this.called.with(event, writer);
		}

	}

	static class IdTenantAndWriter extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event, UUID eventId, String tenantId, ReadModelWriter writer) {
			this.called.with(event, eventId, tenantId, writer);
		}

	}

	static class EnvelopeAndWriter extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Event<Placed> event, ReadModelWriter writer) {
			this.called.with(event, writer);
		}

	}

	static class EnvelopeIdTenantAndWriter extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Event<Placed> event, UUID eventId, TenantId tenantId, ReadModelWriter writer) {
			this.called.with(event, eventId, tenantId, writer);
		}

	}

	static class BatchAndWriter extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(List<Event<Placed>> events, ReadModelWriter writer) {
			this.called.with(events, writer);
		}

	}

	static class PayloadAndEffects extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event, Effects effects) {
			this.called.with(event, effects);
		}

	}

	static class EverythingBehind extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(Event<Placed> event, UUID eventId, String tenantId, HandlerMode mode, Effects effects,
				ReadModelWriter writer) {
			this.called.with(event, eventId, tenantId, mode, effects, writer);
		}

	}

	static class BatchAndMode extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(List<Event<Placed>> events, HandlerMode mode) {
			this.called.with(events, mode);
		}

	}

	abstract static class BatchOf<E> {

		@ProjectorEventHandler(subject = "a")
		void on(List<Event<E>> events) {
		}

	}

	static class BatchOfPlaced extends BatchOf<Placed> {

	}

	static class GenericPayload {

		@ProjectorEventHandler(subject = "a")
		void on(Changed<Placed> event) {
		}

	}

	static class Tree extends Handlers {

		@ProjectorEventHandler(subject = "a")
		void on(JsonNode event) {
			this.called.with(event);
		}

	}

	static class SaidType {

		@ProjectorEventHandler(subject = "a", eventType = MovedFast.class)
		void on(Moved event) {
		}

	}

	static class SealedPayload {

		@ProjectorEventHandler(subject = "a")
		void on(End event) {
		}

	}

	static class SaidSealed {

		@ProjectorEventHandler(subject = "a", eventType = Failure.class)
		void on(End event) {
		}

	}

	@EventType("order.changed")
	@JsonDeserialize(as = Renamed.class)
	interface NamedChange {

	}

	record Renamed(String name) implements NamedChange {
	}

	static class NamedInterface {

		@ProjectorEventHandler(subject = "a")
		void on(NamedChange event) {
		}

	}

}
