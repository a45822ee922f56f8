package dev.eventing.sdk.annotation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

import dev.eventing.sdk.AheadOfTime;
import dev.eventing.sdk.config.EventingConfiguration;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projection.Checks;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.ledger.CheckRequests;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.BeanInstanceSupplier;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A native image's hints for handlers, and the result in a context without an image.
 */
class HandlerHintsTests {

	private static final String SCRIPT = "dev/eventing/migrations/postgresql/V1__create_tables.sql";

	private static final ReflectionHintsPredicates REFLECTION = RuntimeHintsPredicates.reflection();

	private static RuntimeHints hints(Class<?> component) {
		return AheadOfTime.of(Map.of(), component).hints();
	}

	private static void assertBound(RuntimeHints hints, Class<?> type) {
		assertThat(REFLECTION.onType(type)
			.withMemberCategories(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.ACCESS_DECLARED_FIELDS))
			.accepts(hints);
	}

	@Test
	void callTheMethodAndBindThePayloadWithAllThatItContains() {
		RuntimeHints hints = hints(Plain.class);
		assertThat(REFLECTION.onMethodInvocation(Plain.class, "on")).accepts(hints);
		assertBound(hints, Shipped.class);
		assertBound(hints, Line.class);
		assertThat(REFLECTION.onMethodInvocation(Line.class, "item")).accepts(hints);
	}

	@Test
	void bindEachClassOfASealedPayload() {
		RuntimeHints hints = hints(OfSealed.class);
		assertThat(REFLECTION.onType(Change.class)).accepts(hints);
		assertBound(hints, Shipped.class);
		assertBound(hints, Cancelled.class);
	}

	@Test
	void bindThePayloadOfABatchAndOfATypeVariable() {
		assertBound(hints(Batches.class), Cancelled.class);
		RuntimeHints hints = hints(OfCancelled.class);
		assertBound(hints, Cancelled.class);
		assertThat(REFLECTION.onMethodInvocation(Generic.class, "on")).accepts(hints);
	}

	@Test
	void readWhatAKeyMayName() {
		assertThat(REFLECTION.onMethodInvocation(Shipped.class, "customer")).accepts(hints(Plain.class));
	}

	@Test
	void callAJdkProxyByTheMethodOfItsInterface() {
		assertThat(REFLECTION.onMethodInvocation(Listener.class, "on")).accepts(hints(ThroughInterface.class));
	}

	@Test
	void emptyAReadModelAndReadTheScriptOfItsTables() {
		RuntimeHints hints = hints(WithReadModel.class);
		assertThat(REFLECTION.onMethodInvocation(WithReadModel.class, "reset")).accepts(hints);
		assertThat(RuntimeHintsPredicates.resource().forResource(SCRIPT)).accepts(hints);
	}

	@Test
	void readAMetaAnnotationThroughItsProxy() {
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(ProjectorEventHandler.class))
			.accepts(hints(Plain.class));
	}

	@Test
	void areNoneForAPayloadThatIsAnyEvent() {
		Predicate<RuntimeHints> json = REFLECTION.onType(JsonNode.class);
		assertThat(json.test(hints(OfAnyEvent.class))).isFalse();
	}

	@Test
	void leaveWhatIsWrongToTheStart() {
		assertThat(REFLECTION.onMethodInvocation(Wrong.class, "on")).accepts(hints(Wrong.class));
	}

	@Test
	void aContextFindsWhatItFindsWithoutThem(@TempDir Path folder) throws Exception {
		AheadOfTime application = AheadOfTime.of(Map.of(), Application.class);
		assertThat(REFLECTION.onMethodInvocation(Plain.class, "on")).accepts(application.hints());
		assertThat(application.start(folder, Map.of(), Calls.class)).hasToString("[Plain-on: 2 tea, hidden: o-1]");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aContextDoesNotWarnOfLazyBeansOfTheSdk(CapturedOutput output) {
		RootBeanDefinition checks = new RootBeanDefinition(Checks.class);
		checks.setLazyInit(true);
		checks.setInstanceSupplier(BeanInstanceSupplier.forFactoryMethod(EventingConfiguration.class, "eventingChecks",
				CheckLedger.class, CheckRequests.class));
		try (TestContext context = new TestContext()) {
			context.with((beans) -> beans.registerBeanDefinition("checks", checks)).start();
			assertThat(output).doesNotContain("Of these lazy beans");
		}
	}

	/** Calls each handler, and tells what it has seen. */
	static class Calls implements AheadOfTime.Look {

		@Override
		public List<String> at(GenericApplicationContext context) {
			Endpoints endpoints = context.getBean(Endpoints.class);
			Event<?> shipped = TestContext.event(new Shipped("o-1", List.of(new Line("tea", 2))));
			return endpoints.all.stream().map((endpoint) -> {
				endpoints.seen.clear();
				try {
					endpoint.handlers().get(0).invocation().invoke(List.of(shipped), TestContext.RESOURCES);
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
				return endpoint.name() + ": " + String.join(", ", endpoints.seen);
			}).sorted().toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		static ProjectorAnnotationBeanPostProcessor projectors() {
			return new ProjectorAnnotationBeanPostProcessor();
		}

		@Bean
		Endpoints endpoints() {
			return new Endpoints();
		}

		@Bean
		Plain plain(Endpoints endpoints) {
			return new Plain(endpoints);
		}

		/**
		 * Its handlers are found when it is created: without an image it has no hints.
		 */
		@Bean
		Runnable hidden(Endpoints endpoints) {
			return new Hidden(endpoints);
		}

	}

	static class Endpoints implements ProjectorEndpoints {

		final List<ProjectorEndpoint> all = new ArrayList<>();

		final List<String> seen = new ArrayList<>();

		@Override
		public void register(ProjectorEndpoint endpoint) {
			this.all.add(endpoint);
		}

	}

	static class Plain {

		private final Endpoints endpoints;

		Plain(Endpoints endpoints) {
			this.endpoints = endpoints;
		}

		@ProjectorEventHandler(subject = "{tenant}.order.shipped", key = "payload.customer")
		void on(Shipped event, UUID eventId, String tenantId) {
			event.lines().forEach((line) -> this.endpoints.seen.add(line.quantity() + " " + line.item()));
		}

	}

	static class Hidden implements Runnable {

		private final Endpoints endpoints;

		Hidden(Endpoints endpoints) {
			this.endpoints = endpoints;
		}

		@ProjectorEventHandler(projectorName = "hidden", subject = "{tenant}.order.shipped")
		void on(Shipped event) {
			this.endpoints.seen.add(event.order());
		}

		@Override
		public void run() {
		}

	}

	static class OfSealed {

		@ProjectorEventHandler(subject = "{tenant}.order.{type}")
		void on(Change change) {
		}

	}

	static class Batches {

		@ProjectorEventHandler(subject = "{tenant}.order.cancelled")
		void on(List<Event<Cancelled>> events) {
		}

	}

	abstract static class Generic<E> {

		@ProjectorEventHandler(subject = "{tenant}.order.cancelled")
		void on(E event) {
		}

	}

	static class OfCancelled extends Generic<Cancelled> {

	}

	interface Listener {

		void on(Shipped event);

	}

	static class ThroughInterface implements Listener {

		@Override
		@ProjectorEventHandler(subject = "{tenant}.order.shipped")
		public void on(Shipped event) {
		}

	}

	@Projector(value = "orders", script = "classpath:${no.such.property:" + SCRIPT + "}")
	static class WithReadModel {

		@ProjectorEventHandler(subject = "{tenant}.order.shipped")
		void on(Shipped event) {
		}

		@ProjectionReset
		void reset() {
		}

	}

	static class OfAnyEvent {

		@ProjectorEventHandler(subject = "{tenant}.order.{type}")
		void on(Event<JsonNode> event) {
		}

	}

	static class Wrong {

		@ProjectorEventHandler(subject = "{tenant}.order.shipped")
		void on(Shipped event, int number) {
		}

	}

	sealed interface Change {

	}

	record Shipped(String order, List<Line> lines) implements Change {

		public String customer() {
			return "c-1";
		}

	}

	record Cancelled(String order) implements Change {

	}

	record Line(String item, int quantity) {

	}

}
