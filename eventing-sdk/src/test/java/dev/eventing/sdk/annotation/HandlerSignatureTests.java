package dev.eventing.sdk.annotation;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ReadModelWriter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

class HandlerSignatureTests {

	@EventType("order.placed")
	record Placed(String id) {
	}

	record Changed<T>(T value) {
	}

	interface Moved {

	}

	record MovedFast(String id) implements Moved {
	}

	static class Called {

		final List<Object> arguments = new ArrayList<>();

		void with(Object... given) {
			this.arguments.addAll(List.of(given));
		}

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

	@Nested
	class Refuses {

		@ParameterizedTest
		@ValueSource(classes = { NoParameter.class, TwoParameters.class, WrongOrder.class, BatchWithId.class,
				WriterAlone.class, WriterFirst.class, TwoWriters.class })
		void otherParameters(Class<?> handlers) {
			assertThat(TestContext.problemsOf(Called.class, handlers)).singleElement()
				.asString()
				.contains(handlers.getSimpleName() + ".on(", "Consider one of (E event, UUID eventId, String tenantId)",
						"(List<Event<E>> events), each with or without a last ReadModelWriter writer");
		}

		@Test
		void collectionsThatAreNoBatch() {
			assertThat(TestContext.problemsOf(ListOfPayloads.class)).singleElement()
				.asString()
				.contains("ListOfPayloads.on(List<Placed>)", "List<Placed> could be a batch");
			assertThat(TestContext.problemsOf(CollectionOfEvents.class)).singleElement()
				.asString()
				.contains("Collection<Event<Placed>> could be a batch");
		}

		@Test
		void aRawEnvelope() {
			assertThat(TestContext.problemsOf(RawEnvelope.class)).singleElement().asString().contains("raw Event");
		}

		@Test
		void aResult() {
			assertThat(TestContext.problemsOf(ReturnsResult.class)).singleElement()
				.asString()
				.contains("returns String", "Consider making it void");
		}

		@Test
		void aResultThatComesLater() {
			assertThat(TestContext.problemsOf(ReturnsFuture.class)).singleElement()
				.asString()
				.contains("goes on after it has returned", "waiting for the result inside the method");
		}

		@ParameterizedTest
		@ValueSource(classes = { AnyEnvelope.class, Anything.class, Text.class, Bytes.class, Mapped.class })
		void typesThatNameNoEvent(Class<?> handlers) {
			assertThat(TestContext.problemsOf(handlers)).singleElement()
				.asString()
				.contains("names no event type", "JsonNode");
		}

		@ParameterizedTest
		@ValueSource(classes = { OpenInterface.class, OpenInBatch.class, OpenAmongPermitted.class })
		void typesThatNoEventCanBeOf(Class<?> handlers) {
			assertThat(TestContext.problemsOf(handlers)).singleElement()
				.asString()
				.contains(handlers.getSimpleName() + ".on(", "is abstract and not sealed, so no event is of that type",
						"Consider making it sealed to take all that it permits");
		}

		@Test
		void aSealedTypeOfWhichTwoClassesHaveOneName() {
			assertThat(TestContext.problemsOf(SameNames.class)).singleElement()
				.asString()
				.contains("which both have the event type 'Twin'", "Consider @EventType on one of them");
		}

		@Test
		void aSealedTypeWithAPermittedClassOfNoDefiniteType() {
			assertThat(TestContext.problemsOf(GenericPermitted.class)).singleElement()
				.asString()
				.contains("its payload may be a Boxed, which is of no definite type");
		}

		@Test
		void aSealedTypeBesideAHandlerOfOneThatItPermits() {
			assertThat(TestContext.problemsOf(SealedAndOne.class)).singleElement()
				.asString()
				.contains("both take event type 'Lost'");
		}

		@Test
		void anUnboundTypeVariable() {
			assertThat(TestContext.problemsOf(Unbound.class)).singleElement()
				.asString()
				.contains("its payload Changed<T> is of no definite type");
		}

		@Test
		void anEventTypeThatDoesNotFitTheParameter() {
			assertThat(TestContext.problemsOf(UnfitType.class)).singleElement()
				.asString()
				.contains("eventType = Placed.class cannot be handed to its parameter of type Moved",
						"Consider a parameter of type Placed, or removing eventType");
		}

		@Test
		void anEventTypeNameThatMeansAnyType() {
			assertThat(TestContext.problemsOf(NamedLikeAny.class)).singleElement()
				.asString()
				.contains("event type '*'", "is no name");
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

	static class WriterAlone {

		@ProjectorEventHandler(subject = "a")
		void on(ReadModelWriter writer) {
		}

	}

	static class WriterFirst {

		@ProjectorEventHandler(subject = "a")
		void on(ReadModelWriter writer, Placed event) {
		}

	}

	static class TwoWriters {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event, ReadModelWriter one, ReadModelWriter other) {
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

	static class NoParameter {

		@ProjectorEventHandler(subject = "a")
		void on() {
		}

	}

	static class TwoParameters {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event, UUID eventId) {
		}

	}

	static class WrongOrder {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event, String tenantId, UUID eventId) {
		}

	}

	static class BatchWithId {

		@ProjectorEventHandler(subject = "a")
		void on(List<Event<Placed>> events, UUID eventId, String tenantId) {
		}

	}

	static class ListOfPayloads {

		@ProjectorEventHandler(subject = "a")
		void on(List<Placed> events) {
		}

	}

	static class CollectionOfEvents {

		@ProjectorEventHandler(subject = "a")
		void on(Collection<Event<Placed>> events) {
		}

	}

	@SuppressWarnings("rawtypes")
	static class RawEnvelope {

		@ProjectorEventHandler(subject = "a")
		void on(Event event) {
		}

	}

	static class ReturnsResult {

		@ProjectorEventHandler(subject = "a")
		String on(Placed event) {
			return "";
		}

	}

	static class ReturnsFuture {

		@ProjectorEventHandler(subject = "a")
		CompletableFuture<Void> on(Placed event) {
			return new CompletableFuture<>();
		}

	}

	static class AnyEnvelope {

		@ProjectorEventHandler(subject = "a")
		void on(Event<?> event) {
		}

	}

	static class Anything {

		@ProjectorEventHandler(subject = "a")
		void on(Object event) {
		}

	}

	static class Text {

		@ProjectorEventHandler(subject = "a")
		void on(String event, UUID eventId, String tenantId) {
		}

	}

	static class Bytes {

		@ProjectorEventHandler(subject = "a")
		void on(byte[] event) {
		}

	}

	static class Mapped {

		@ProjectorEventHandler(subject = "a")
		void on(Map<String, String> event) {
		}

	}

	static class Unbound<T> {

		@ProjectorEventHandler(subject = "a")
		void on(Changed<T> event) {
		}

	}

	static class UnfitType {

		@ProjectorEventHandler(subject = "a", eventType = Placed.class)
		void on(Moved event) {
		}

	}

	@EventType("*")
	record Star(String id) {
	}

	static class NamedLikeAny {

		@ProjectorEventHandler(subject = "a")
		void on(Star event) {
		}

	}

	sealed interface End permits Closed, Failure, Ended {

	}

	@EventType("order.closed")
	record Closed(String id) implements End {
	}

	sealed interface Failure extends End permits Lost, Reason {

	}

	record Lost(String id) implements Failure {
	}

	enum Reason implements Failure {

		FIRE {
			@Override
			boolean insured() {
				return true;
			}
		};

		abstract boolean insured();

	}

	static sealed class Ended implements End permits Cancelled {

	}

	static non-sealed class Cancelled extends Ended {

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
	interface NamedChange {

	}

	static class NamedInterface {

		@ProjectorEventHandler(subject = "a")
		void on(NamedChange event) {
		}

	}

	static class OpenInterface {

		@ProjectorEventHandler(subject = "a")
		void on(Moved event) {
		}

	}

	static class OpenInBatch {

		@ProjectorEventHandler(subject = "a")
		void on(List<Event<Moved>> events) {
		}

	}

	sealed interface HalfOpen permits Open {

	}

	abstract static non-sealed class Open implements HalfOpen {

	}

	static class OpenAmongPermitted {

		@ProjectorEventHandler(subject = "a")
		void on(HalfOpen event) {
		}

	}

	sealed interface Twins permits OneOf.Twin, OtherOf.Twin {

	}

	static class OneOf {

		record Twin(String id) implements Twins {
		}

	}

	static class OtherOf {

		record Twin(String id) implements Twins {
		}

	}

	static class SameNames {

		@ProjectorEventHandler(subject = "a")
		void on(Twins event) {
		}

	}

	sealed interface Box permits Boxed {

	}

	record Boxed<T>(T value) implements Box {
	}

	static class GenericPermitted {

		@ProjectorEventHandler(subject = "a")
		void on(Box event) {
		}

	}

	@Projector("ends")
	static class SealedAndOne {

		@ProjectorEventHandler(subject = "a")
		void on(End event) {
		}

		@ProjectorEventHandler(subject = "a")
		void onLost(Lost event) {
		}

	}

}
