package dev.eventing.sdk.annotation;

import java.util.List;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

class AttributeResolutionTests {

	record Placed(String id) {
	}

	@Nested
	class Resolves {

		@Test
		void placeholdersAndLeavesTheTenant() {
			try (TestContext context = new TestContext(Placeholders.class)) {
				context.property("orders.category", "order").property("orders.name", "summary").start();
				assertThat(context.handler().subject()).hasToString("{tenant}.order.placed");
				assertThat(context.endpoint().name()).isEqualTo("summary");
				assertThat(context.endpoint().durableName()).isEqualTo("summary-d");
				assertThat(context.endpoint().stream()).isEqualTo("ORDERS");
				assertThat(context.endpoint().options().settings().key()).isEqualTo("payload.id");
			}
		}

		@Test
		void theTenantInADefaultAndInAProperty() {
			try (TestContext context = new TestContext(TenantInDefault.class)) {
				context.property("other.subject", "{tenant}.b").start();
				assertThat(context.endpoint().filterSubjects()).containsExactlyInAnyOrder("*.a", "*.b");
				assertThat(context.endpoint().handlers()).allMatch((handler) -> handler.subject().hasTenant());
			}
		}

		@Test
		void expressionsThatReadBeansAndLeaveTheTenant() {
			try (TestContext context = new TestContext(Names.class, Expressions.class).start()) {
				assertThat(context.handler().subject()).hasToString("{tenant}.order.placed");
				assertThat(context.endpoint().name()).isEqualTo("from-bean");
			}
		}

		@Test
		void theTenantInsideAnExpression() {
			try (TestContext context = new TestContext(TenantInExpression.class).start()) {
				assertThat(context.handler().subject()).hasToString("{tenant}.placed");
			}
		}

		@Test
		void whatTurnsOutEmptyAsNotSaid() {
			try (TestContext context = new TestContext(TurnsOutEmpty.class).start()) {
				assertThat(context.endpoint().name()).isEqualTo("TurnsOutEmpty-on");
				assertThat(context.endpoint().durableName()).isEqualTo("TurnsOutEmpty-on-consumer");
				assertThat(context.endpoint().stream()).isNull();
				assertThat(context.endpoint().options().settings().key()).isNull();
			}
		}

		@Test
		void theNameOfAProjectorClass() {
			try (TestContext context = new TestContext(ClassPlaceholder.class)) {
				context.property("orders.name", "summary").start();
				assertThat(context.endpoint().name()).isEqualTo("summary");
				assertThat(context.endpoint().durableName()).isEqualTo("summary-v2");
			}
		}

	}

	@Nested
	class Refuses {

		@Test
		void placeholdersWithoutAValue() {
			assertThat(TestContext.problemsOf(Unknown.class)).singleElement()
				.asString()
				.contains("Unknown.on(Placed)", "subject = \"{tenant}.${no.such}\"", "placeholder without a value");
		}

		@Test
		void placeholdersWithoutAValueBesideAConfigurer() {
			assertThat(TestContext.problemsOf(Configurer.class, Unknown.class)).singleElement()
				.asString()
				.contains("subject = \"{tenant}.${no.such}\"", "no.such");
		}

		@Test
		void expressionsThatFail() {
			assertThat(TestContext.problemsOf(FailingExpression.class)).singleElement()
				.asString()
				.contains("projectorName = \"#{@nobody.name}\" cannot be evaluated", "nobody");
		}

		@Test
		void expressionsThatGiveNoText() {
			assertThat(TestContext.problemsOf(NoText.class)).satisfiesExactlyInAnyOrder(
					(problem) -> assertThat(problem).contains("durableName = \"#{null}\" resolves to null"),
					(problem) -> assertThat(problem).contains("stream = \"#{new java.util.ArrayList()}\"",
							"resolves to a java.util.ArrayList"));
		}

		@Test
		void aKeyThatThePayloadDoesNotHave() {
			assertThat(TestContext.problemsOf(MisspeltKey.class)).singleElement()
				.asString()
				.endsWith("its key 'payload.identity' reads property 'identity', which Placed does not have. Consider a"
						+ " property that it has, or leaving key out.");
		}

		@Test
		void aKeyThatIsNoExpression() {
			assertThat(TestContext.problemsOf(BrokenKey.class)).singleElement()
				.asString()
				.contains("key = \"payload.(\" is not a valid expression", "payload.customerId");
		}

		@Test
		void subjectsThatAreNone() {
			List<String> problems = TestContext.problemsOf(Subjects.class);
			assertThat(problems).satisfiesExactlyInAnyOrder((problem) -> assertThat(problem).contains("Subject ''"),
					(problem) -> assertThat(problem).contains("Subject 'a..b'"),
					(problem) -> assertThat(problem).contains("{customer}"));
			assertThat(problems).allSatisfy((problem) -> assertThat(problem).contains("Subjects.", "Consider"));
		}

	}

	static class Placeholders {

		@ProjectorEventHandler(subject = "{tenant}.${orders.category}.placed", projectorName = "${orders.name}",
				durableName = "${orders.name}-d", stream = "${orders.stream:ORDERS}", key = "${orders.key:payload.id}")
		void on(Placed event) {
		}

	}

	static class TurnsOutEmpty {

		@ProjectorEventHandler(subject = "a", projectorName = "${no.name:}", durableName = "${no.durable:}",
				stream = "#{''}", key = "${no.key:}")
		void on(Placed event) {
		}

	}

	@Projector("defaults")
	static class TenantInDefault {

		@ProjectorEventHandler(subject = "${orders.subject:{tenant}.a}")
		void on(Placed event) {
		}

		@ProjectorEventHandler(subject = "${other.subject}")
		void onOther(Other event) {
		}

		record Other(String id) {
		}

	}

	@Configuration
	static class Names {

		@Bean
		String projector() {
			return "from-bean";
		}

	}

	static class Expressions {

		@ProjectorEventHandler(subject = "{tenant}.#{'order'}.placed", projectorName = "#{@projector}")
		void on(Placed event) {
		}

	}

	static class TenantInExpression {

		@ProjectorEventHandler(subject = "#{'{tenant}' + '.placed'}")
		void on(Placed event) {
		}

	}

	@Projector(value = "${orders.name}", durableName = "${orders.name}-v2")
	static class ClassPlaceholder {

		@ProjectorEventHandler(subject = "a")
		void on(Placed event) {
		}

	}

	static class Unknown {

		@ProjectorEventHandler(subject = "{tenant}.${no.such}")
		void on(Placed event) {
		}

	}

	@Configuration
	static class Configurer {

		@Bean
		static PropertySourcesPlaceholderConfigurer placeholders() {
			return new PropertySourcesPlaceholderConfigurer();
		}

	}

	static class FailingExpression {

		@ProjectorEventHandler(subject = "a", projectorName = "#{@nobody.name}")
		void on(Placed event) {
		}

	}

	static class NoText {

		@ProjectorEventHandler(subject = "a", durableName = "#{null}")
		void on(Placed event) {
		}

		@ProjectorEventHandler(subject = "a", stream = "#{new java.util.ArrayList()}")
		void onOther(Placed event) {
		}

	}

	static class MisspeltKey {

		@ProjectorEventHandler(subject = "a", key = "payload.identity")
		void on(Placed event) {
		}

	}

	static class BrokenKey {

		@ProjectorEventHandler(subject = "a", key = "payload.(")
		void on(Placed event) {
		}

	}

	static class Subjects {

		@ProjectorEventHandler(subject = "")
		void empty(Placed event) {
		}

		@ProjectorEventHandler(subject = "a..b")
		void emptyToken(Placed event) {
		}

		@ProjectorEventHandler(subject = "{tenant}.{customer}")
		void otherPlaceholder(Placed event) {
		}

	}

}
