package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.Parking;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettings.DeadLetters;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.Source;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class ProjectorGroupingTests {

	record Placed(String id) {
	}

	record Shipped(String id) {
	}

	record Paid(String id) {
	}

	@Nested
	class MakesOneProjector {

		@Test
		void ofTheHandlersOfAClass() {
			try (TestContext context = new TestContext(OrderSummary.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("order-summary");
				assertThat(context.endpoint().durableName()).isEqualTo("order-summary-v2");
				assertThat(context.endpoint().handlers()).extracting(HandlerMethod::description)
					.containsExactly("OrderSummary.on(Placed)", "OrderSummary.on(Shipped)");
				assertThat(context.endpoint().filterSubjects()).containsExactly("*.order.placed", "*.order.shipped");
			}
		}

		@Test
		void ofSeveralClassesWithOneName() {
			try (TestContext context = new TestContext(OrderSummary.class, Payments.class).start()) {
				assertThat(context.endpoint().durableName()).isEqualTo("order-summary-v2");
				assertThat(context.endpoint().handlers())
					.extracting((handler) -> handler.payloadTypes().keySet().iterator().next())
					.containsExactly("Placed", "Shipped", "Paid");
				assertThat(context.endpoint().options().get(ProjectorSettings::maxDeliver)).isEqualTo(9);
			}
		}

		@Test
		void ofEachNameThatReadsTheEventStoreWhereNoDurableIsShared() {
			try (TestContext context = new TestContext(StoreFed.class).start()) {
				assertThat(context.endpoints()).extracting(ProjectorEndpoint::name).containsExactly("one", "two");
				assertThat(context.endpoints()).allMatch(ProjectorEndpoint::readsEventStore);
			}
		}

		@Test
		void ofHandlersThatShareAProjectorName() {
			try (TestContext context = new TestContext(SharedName.class).start()) {
				assertThat(context.endpoint().handlers()).hasSize(2);
				assertThat(context.endpoint().options().get(ProjectorSettings::ackWait))
					.isEqualTo(Duration.ofSeconds(5));
				assertThat(context.endpoint().options().get(ProjectorSettings::maxDeliver)).isEqualTo(4);
			}
		}

		@Test
		void ofEachHandlerThatSaysNothing() {
			try (TestContext context = new TestContext(Separate.class).start()) {
				assertThat(context.endpoints()).extracting((endpoint) -> endpoint.name())
					.containsExactly("Separate-onPlaced", "Separate-onShipped");
			}
		}

	}

	@Nested
	class Refuses {

		@Test
		void attributesThatContradict() {
			assertThat(TestContext.problemsOf(Contradicting.class)).singleElement()
				.asString()
				.contains("Contradicting.on(Placed)", "Contradicting.on(Shipped)", "maxDeliver = 3", "maxDeliver = 5",
						"Consider setting maxDeliver on one of them only");
		}

		@Test
		void oneEventTypeTwice() {
			assertThat(TestContext.problemsOf(TwiceOneType.class)).singleElement()
				.asString()
				.contains("TwiceOneType.first(Placed)", "TwiceOneType.second(Placed)",
						"they both take event type 'Placed' in projector '");
		}

		@Test
		void anyTypeTwice() {
			assertThat(TestContext.problemsOf(TwiceAnyType.class)).singleElement()
				.asString()
				.contains("they both take every event that no other handler takes, in projector '");
		}

		@Test
		void overloadsThatWouldShareADefaultName() {
			assertThat(TestContext.problemsOf(Overloaded.class)).singleElement()
				.asString()
				.contains("Overloaded.on(Placed)", "Overloaded.on(Shipped)",
						"the same default projectorName 'Overloaded-on'",
						"Consider setting a different projectorName on each");
		}

		@Test
		void aProjectorNameBesideAnotherOfTheClass() {
			assertThat(TestContext.problemsOf(TwoNames.class)).singleElement()
				.asString()
				.contains("projectorName = \"other\" but its class has @Projector(\"summary\")");
		}

		@Test
		void aDurableNameBesideAnotherOfTheClass() {
			assertThat(TestContext.problemsOf(TwoDurables.class)).singleElement()
				.asString()
				.contains("durableName = \"b\" but its class sets durableName = \"a\"");
		}

		@Test
		void oneDurableForTwoProjectors() {
			assertThat(TestContext.problemsOf(SharedDurable.class)).singleElement()
				.asString()
				.contains("'one'", "'two'", "share the durable 'd'");
		}

		@Test
		void namesThatNatsWouldNotTake() {
			assertThat(TestContext.problemsOf(BadNames.class)).satisfiesExactlyInAnyOrder(
					(problem) -> assertThat(problem).contains("BadNames.dot(Placed)", "projectorName = \"a.b\""),
					(problem) -> assertThat(problem).contains("BadNames.space(Placed)", "durableName = \"c d\""),
					(problem) -> assertThat(problem).contains("BadNames.stream(Placed)", "stream = \"S>\""));
		}

		@Test
		void namesThatAreTooLong() {
			try (TestContext context = new TestContext(LongNames.class)) {
				context.property("long.durable", "d".repeat(201)).property("long.name", "n".repeat(256));
				assertThat(context.problems()).satisfiesExactlyInAnyOrder(
						(problem) -> assertThat(problem).contains("durableName", "201 characters", "at most 200"),
						(problem) -> assertThat(problem).contains("projectorName", "256 characters", "at most 255"));
			}
		}

		@Test
		void theSignThatSeparatesANameFromAGeneration() {
			try (TestContext context = new TestContext(LongNames.class)) {
				context.property("long.durable", "d#1").property("long.name", "orders#2");
				assertThat(context.problems()).singleElement()
					.asString()
					.contains("projectorName = \"orders#2\" contains '#'");
			}
		}

		@Test
		void anEmptyProjectorName() {
			assertThat(TestContext.problemsOf(EmptyName.class)).singleElement()
				.asString()
				.contains("@Projector(\" \") resolves to an empty name");
		}

		@Test
		void optionsOutOfRange() {
			assertThat(TestContext.problemsOf(OutOfRange.class)).satisfiesExactlyInAnyOrder(
					(problem) -> assertThat(problem).contains("OutOfRange.on(Placed)",
							"'maxDeliver' must be at least 1, was -1"),
					(problem) -> assertThat(problem).contains("'ackWait' must be at least 1000 ms, was 10 ms"));
		}

	}

	@Nested
	class TakesSettings {

		private static final ProjectorSettings DEFAULTS = settings(DeliverPolicy.NEW, 11, 111, Ordering.NONE);

		@Test
		void builtInWhereNobodySaysAnything() {
			try (TestContext context = new TestContext(Silent.class).start()) {
				assertThat(context.endpoint().options()).isEqualTo(ProjectorOptions.of(ProjectorSettings.NONE));
			}
		}

		@Test
		void fromTheAnnotation() {
			try (TestContext context = new TestContext(Talkative.class).start()) {
				assertThat(context.endpoint().options()).isEqualTo(Talkative.OPTIONS);
			}
		}

		@Test
		void eachAttributeIsTheSettingOfItsName() {
			Set<String> settings = Stream.of(ProjectorSettings.class, DeadLetters.class)
				.flatMap((type) -> Arrays.stream(type.getRecordComponents()))
				.map(RecordComponent::getName)
				.collect(Collectors.toSet());
			assertThat(ProjectorEventHandler.class.getDeclaredMethods())
				.filteredOn((attribute) -> !settings.contains(attribute.getName()))
				.extracting(Method::getName)
				.containsExactlyInAnyOrder("subject", "projectorName", "durableName", "stream", "eventType");
		}

		@Test
		void fromThePropertyOfTheProjectorBeforeTheAnnotationBeforeTheDefaults() {
			ProjectorSettings own = settings(null, 22, null, Ordering.INHERIT);
			try (TestContext context = new TestContext(Deliveries.class)) {
				context.with((spring) -> spring.registerBean(ProjectorSettingsSource.class, () -> source(own))).start();
				ProjectorOptions options = context.endpoint().options();
				assertThat(options.get(ProjectorSettings::maxDeliver)).as("said everywhere").isEqualTo(22);
				assertThat(options.get(ProjectorSettings::batchSize)).as("said by annotation and defaults")
					.isEqualTo(33);
				assertThat(options.get(ProjectorSettings::deliverPolicy)).as("said by the defaults")
					.isEqualTo(DeliverPolicy.NEW);
				assertThat(options.get(ProjectorSettings::ordering)).as("said by the defaults, INHERIT elsewhere")
					.isEqualTo(Ordering.NONE);
				assertThat(options.get(ProjectorSettings::concurrency)).as("said by nobody")
					.isEqualTo(ProjectorSettings.BUILT_IN.concurrency());
			}
		}

		private static ProjectorSettingsSource source(ProjectorSettings own) {
			return new ProjectorSettingsSource() {

				@Override
				public ProjectorSettings defaults() {
					return DEFAULTS;
				}

				@Override
				public ProjectorSettings forProjector(String name) {
					return name.equals("Deliveries-on") ? own : ProjectorSettings.NONE;
				}

			};
		}

		private static ProjectorSettings settings(@Nullable DeliverPolicy policy, Integer maxDeliver,
				@Nullable Integer batchSize, Ordering ordering) {
			return ProjectorSettings.builder()
				.deliverPolicy(policy)
				.maxDeliver(maxDeliver)
				.batchSize(batchSize)
				.ordering(ordering)
				.build();
		}

	}

	@Projector(value = "order-summary", durableName = "order-summary-v2")
	static class OrderSummary {

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
		}

		@ProjectorEventHandler(subject = "{tenant}.order.shipped")
		void on(Shipped event) {
		}

	}

	@Projector("order-summary")
	static class Payments {

		@ProjectorEventHandler(subject = "{tenant}.payment.paid", maxDeliver = 9)
		void on(Paid event) {
		}

	}

	static class SharedName {

		@ProjectorEventHandler(subject = "a", projectorName = "shared", maxDeliver = 4)
		void on(Placed event) {
		}

		@ProjectorEventHandler(subject = "b", projectorName = "shared", maxDeliver = 4, ackWait = 5000)
		void on(Shipped event) {
		}

	}

	static class Separate {

		@ProjectorEventHandler(subject = "a")
		void onPlaced(Placed event) {
		}

		@ProjectorEventHandler(subject = "a")
		void onShipped(Shipped event) {
		}

	}

	static class Contradicting {

		@ProjectorEventHandler(subject = "a", projectorName = "shared", maxDeliver = 3)
		void on(Placed event) {
		}

		@ProjectorEventHandler(subject = "b", projectorName = "shared", maxDeliver = 5)
		void on(Shipped event) {
		}

	}

	@Projector("p")
	static class TwiceOneType {

		@ProjectorEventHandler(subject = "a")
		void first(Placed event) {
		}

		@ProjectorEventHandler(subject = "b")
		void second(Placed event) {
		}

	}

	@Projector("p")
	static class TwiceAnyType {

		@ProjectorEventHandler(subject = "a")
		void first(JsonNode event) {
		}

		@ProjectorEventHandler(subject = "b")
		void second(JsonNode event) {
		}

	}

	static class Overloaded {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event) {
		}

		@ProjectorEventHandler(subject = "b")
		void on(Shipped event) {
		}

	}

	@Projector("summary")
	static class TwoNames {

		@ProjectorEventHandler(subject = "a", projectorName = "other")
		void on(Placed event) {
		}

	}

	@Projector(value = "summary", durableName = "a")
	static class TwoDurables {

		@ProjectorEventHandler(subject = "a", durableName = "b")
		void on(Placed event) {
		}

	}

	static class StoreFed {

		@ProjectorEventHandler(subject = "a", projectorName = "one", durableName = "d", source = Source.EVENT_STORE)
		void on(Placed event) {
		}

		@ProjectorEventHandler(subject = "a", projectorName = "two", durableName = "d", source = Source.EVENT_STORE)
		void on(Shipped event) {
		}

	}

	static class SharedDurable {

		@ProjectorEventHandler(subject = "a", projectorName = "one", durableName = "d")
		void on(Placed event) {
		}

		@ProjectorEventHandler(subject = "a", projectorName = "two", durableName = "d")
		void on(Shipped event) {
		}

	}

	static class BadNames {

		@ProjectorEventHandler(subject = "a", projectorName = "a.b")
		void dot(Placed event) {
		}

		@ProjectorEventHandler(subject = "a", durableName = "c d")
		void space(Placed event) {
		}

		@ProjectorEventHandler(subject = "a", stream = "S>")
		void stream(Placed event) {
		}

	}

	static class LongNames {

		@ProjectorEventHandler(subject = "a", durableName = "${long.durable}")
		void durable(Placed event) {
		}

		@ProjectorEventHandler(subject = "a", projectorName = "${long.name}", durableName = "short")
		void name(Placed event) {
		}

	}

	@Projector(" ")
	static class EmptyName {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event) {
		}

	}

	static class OutOfRange {

		@ProjectorEventHandler(subject = "a", maxDeliver = -1, ackWait = 10)
		void on(Placed event) {
		}

	}

	static class Silent {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event) {
		}

	}

	static class Talkative {

		static final ProjectorOptions OPTIONS = ProjectorOptions.of(ProjectorSettings.builder()
			.deliverPolicy(DeliverPolicy.NEW)
			.maxDeliver(5)
			.ackWait(Duration.ofSeconds(10))
			.maxAckPending(50)
			.batchSize(20)
			.concurrency(4)
			.ordering(Ordering.NONE)
			.retryDelay(Duration.ofMillis(100))
			.retryMultiplier(1.5)
			.retryMaxDelay(Duration.ofSeconds(9))
			.retryFor(Set.of(IllegalStateException.class))
			.noRetryFor(Set.of(IllegalArgumentException.class))
			.key("payload.id")
			.deadLetters(
					new DeadLetters(Parking.NONE, 9, Set.of(IllegalStateException.class), Duration.ofMillis(500), 3))
			.maxInFlightBytes(4096L)
			.build());

		@ProjectorEventHandler(subject = "a", deliverPolicy = DeliverPolicy.NEW, maxDeliver = 5, ackWait = 10_000,
				maxAckPending = 50, maxInFlightBytes = 4096, batchSize = 20, concurrency = 4, ordering = Ordering.NONE,
				retryDelay = 100, retryMultiplier = 1.5, retryMaxDelay = 9000, retryFor = IllegalStateException.class,
				noRetryFor = IllegalArgumentException.class, key = "payload.id", parking = Parking.NONE,
				parkingLimit = 9, redriveFor = IllegalStateException.class, redriveDelay = 500, redriveLimit = 3)
		void on(Placed event) {
		}

	}

	static class Deliveries {

		@ProjectorEventHandler(subject = "a", maxDeliver = 44, batchSize = 33)
		void on(Placed event) {
		}

	}

}
