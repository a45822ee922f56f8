package dev.eventing.sdk.annotation;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ReadModelWriter;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RefusedSignaturesTests extends SignatureSamples {

	@Nested
	class Refuses {

		@ParameterizedTest
		@ValueSource(classes = { NoParameter.class, TwoParameters.class, WrongOrder.class, BatchWithId.class,
				WriterAlone.class, WriterFirst.class, TwoWriters.class, EffectsBetween.class })
		void otherParameters(Class<?> handlers) {
			assertThat(TestContext.problemsOf(Called.class, handlers)).singleElement()
				.asString()
				.contains(handlers.getSimpleName() + ".on(", "Consider one of (E event, UUID eventId, String tenantId)",
						"(List<Event<E>> events), each with or without ReadModelWriter writer, Effects effects and HandlerMode mode");
		}

		@Test
		void effectsOfABatch() {
			assertThat(TestContext.problemsOf(BatchWithEffects.class)).singleElement()
				.asString()
				.contains("a batch has no single event that an effect belongs to",
						"Consider a handler of single events, such as (Event<E> event, Effects effects)");
		}

		@Test
		void effectsWhereNodesCompeteOrAnAppendRuns() {
			assertThat(TestContext.problemsOf(CompetingEffects.class)).singleElement()
				.asString()
				.contains("CompetingEffects.on(Placed, Effects)", "with ordering = NONE nodes compete for its events",
						"Consider ordering = PER_KEY");
			assertThat(TestContext.problemsOf(InlineEffects.class)).singleElement()
				.asString()
				.contains("run inside an append, which cannot append", "Consider source = EVENT_STORE");
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
				.contains("its work continues after it has returned", "waits for the result");
		}

		@ParameterizedTest
		@ValueSource(classes = { AnyEnvelope.class, Anything.class, Text.class, Bytes.class, Mapped.class })
		void typesThatNameNoEvent(Class<?> handlers) {
			assertThat(TestContext.problemsOf(handlers)).singleElement()
				.asString()
				.contains("is not an event type", "JsonNode");
		}

		@ParameterizedTest
		@ValueSource(classes = { OpenInterface.class, OpenInBatch.class, OpenAmongPermitted.class })
		void typesThatNoEventCanBeOf(Class<?> handlers) {
			assertThat(TestContext.problemsOf(handlers)).singleElement()
				.asString()
				.contains(handlers.getSimpleName() + ".on(", "is abstract and not sealed, so no event has that type",
						"Consider making it sealed to take all classes it permits");
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
				.contains("its payload may be a Boxed, which is not a definite type");
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
				.contains("its payload Changed<T> is not a definite type");
		}

		@Test
		void anEventTypeThatDoesNotFitTheParameter() {
			assertThat(TestContext.problemsOf(UnfitType.class)).singleElement()
				.asString()
				.contains("eventType = Placed.class cannot be passed to its parameter of type Moved",
						"Consider a parameter of type Placed, or removing eventType");
		}

		@Test
		void anEventTypeNameThatMeansAnyType() {
			assertThat(TestContext.problemsOf(NamedLikeAny.class)).singleElement()
				.asString()
				.contains("event type '*'", "is not a valid name");
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

	static class EffectsBetween {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event, Effects effects, UUID eventId, String tenantId) {
		}

	}

	static class BatchWithEffects {

		@ProjectorEventHandler(subject = "a")
		void on(List<Event<Placed>> events, Effects effects) {
		}

	}

	static class CompetingEffects {

		@ProjectorEventHandler(subject = "a", ordering = Ordering.NONE)
		void on(Placed event, Effects effects) {
		}

	}

	static class InlineEffects {

		@ProjectorEventHandler(subject = "a", source = Source.INLINE)
		void on(Placed event, Effects effects) {
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
