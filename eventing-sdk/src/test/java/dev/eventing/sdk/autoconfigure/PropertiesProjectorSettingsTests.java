package dev.eventing.sdk.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.Parking;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettings.DeadLetters;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.RepeatedFailurePolicy;
import dev.eventing.sdk.projector.Tenancy;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class PropertiesProjectorSettingsTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
		.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
		.withPropertyValues("eventing.schema.mode=none");

	@Test
	void sayNothingUnlessToldSomething() {
		this.context.run((found) -> {
			ProjectorSettingsSource settings = found.getBean(ProjectorSettingsSource.class);
			assertThat(settings.defaults()).isEqualTo(ProjectorSettings.NONE);
			assertThat(settings.forProjector("user-projector")).isEqualTo(ProjectorSettings.NONE);
		});
	}

	@Test
	void readEverythingThatCanBeSaid() {
		String one = "eventing.projectors.user-projector.";
		this.context.withPropertyValues(one + "deliver-policy=new", one + "max-deliver=9", one + "ack-wait=45s",
				one + "max-ack-pending=77", one + "batch-size=11", one + "concurrency=4", one + "ordering=none",
				one + "unknown-type=dead-letter", one + "retry-delay=100ms", one + "retry-multiplier=1.5",
				one + "retry-max-delay=5s", one + "retry-for=java.io.IOException,java.io.UncheckedIOException",
				one + "no-retry-for=java.lang.IllegalStateException", one + "key=payload.customerId",
				one + "dead-letters.parking=none", one + "dead-letters.parking-limit=12",
				one + "dead-letters.redrive-for=java.net.ConnectException", one + "dead-letters.redrive-delay=30s",
				one + "dead-letters.redrive-limit=7", one + "max-in-flight-bytes=3MB", one + "new-handlers=from-now",
				one + "tenancy=per-transaction", one + "on-repeated-failure=dead-letter", one + "repeated-failures=5")
			.run((found) -> assertThat(found.getBean(ProjectorSettingsSource.class).forProjector("user-projector"))
				.isEqualTo(ProjectorSettings.builder()
					.deliverPolicy(DeliverPolicy.NEW)
					.maxDeliver(9)
					.ackWait(Duration.ofSeconds(45))
					.maxAckPending(77)
					.batchSize(11)
					.concurrency(4)
					.ordering(Ordering.NONE)
					.unknownType(UnknownTypePolicy.DEAD_LETTER)
					.retryDelay(Duration.ofMillis(100))
					.retryMultiplier(1.5)
					.retryMaxDelay(Duration.ofSeconds(5))
					.retryFor(Set.of(IOException.class, UncheckedIOException.class))
					.noRetryFor(Set.of(IllegalStateException.class))
					.key("payload.customerId")
					.deadLetters(new DeadLetters(Parking.NONE, 12, Set.of(ConnectException.class),
							Duration.ofSeconds(30), 7))
					.maxInFlightBytes(3L << 20)
					.newHandlers(NewHandlersPolicy.FROM_NOW)
					.tenancy(Tenancy.PER_TRANSACTION)
					.onRepeatedFailure(RepeatedFailurePolicy.DEAD_LETTER)
					.repeatedFailures(5)
					.build()));
	}

	@Test
	void takeANameHoweverItIsWritten() {
		this.context.withPropertyValues("eventing.projectors.UserProjector-on.max-deliver=9")
			.run((found) -> assertThat(maxDeliver(found.getBean(ProjectorSettingsSource.class), "UserProjector-on"))
				.isEqualTo(9));
		this.context.withPropertyValues("eventing.projectors.[shop+users].max-deliver=9")
			.run((found) -> assertThat(maxDeliver(found.getBean(ProjectorSettingsSource.class), "shop+users"))
				.isEqualTo(9));
		this.context
			.withInitializer((starting) -> starting.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("systemEnvironment",
						Map.of("EVENTING_PROJECTORS_USERPROJECTOR_MAXDELIVER", "9"))))
			.run((found) -> assertThat(maxDeliver(found.getBean(ProjectorSettingsSource.class), "user-projector"))
				.isEqualTo(9));
	}

	@Test
	void refuseASpellingThatFitsTwoProjectors() {
		this.context.withPropertyValues("eventing.projectors.users.max-deliver=9").run((found) -> {
			ProjectorSettingsSource settings = found.getBean(ProjectorSettingsSource.class);
			assertThat(maxDeliver(settings, "users")).isEqualTo(9);
			assertThat(maxDeliver(settings, "users")).isEqualTo(9);
			assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
				.isThrownBy(() -> settings.forProjector("Users"))
				.withMessageContaining("'users' and 'Users' are two spellings of one name");
		});
	}

	@Test
	void refuseAClassThatIsNoException() {
		this.context.withPropertyValues("eventing.projector.defaults.no-retry-for=java.lang.String")
			.run((found) -> assertThat(found).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class,
						(failure) -> assertThat(failure.getName())
							.isEqualTo("eventing.projector.defaults.no-retry-for")));
	}

	@Test
	void refuseAClassThatIsNoExceptionForRedrives() {
		this.context.withPropertyValues("eventing.projectors.users.dead-letters.redrive-for=java.lang.String")
			.run((found) -> assertThat(failureOf(found, "users"))
				.isEqualTo("eventing.projectors.users.dead-letters.redrive-for"));
	}

	@ParameterizedTest
	@CsvSource({ "eventing.projectors.users.max-deliver, many", "eventing.projectors.users.ordering, sometimes",
			"eventing.projectors.users.dead-letters.redrive-delay, soon",
			"eventing.projector.defaults.max-in-flight-bytes, 3 apples",
			"eventing.projector.defaults.retry-for, no.such.Exception" })
	void nameThePropertyAndTheOriginOfAWrongValue(String property, String value) {
		this.context
			.withInitializer((starting) -> starting.getEnvironment()
				.getPropertySources()
				.addFirst(new OriginTrackedMapPropertySource("file",
						Map.of(property, OriginTrackedValue.of(value, new Line("application.yaml:7"))))))
			.run((found) -> {
				Throwable failure = found.getStartupFailure();
				while (failure != null && !(failure instanceof BindException)) {
					failure = failure.getCause();
				}
				assertThat(failure).isInstanceOfSatisfying(BindException.class, (wrong) -> {
					assertThat(wrong.getName()).hasToString(property);
					assertThat(wrong.getProperty()).asString().contains(value, "application.yaml:7");
				});
			});
	}

	private static String failureOf(ApplicationContext context, String projector) {
		return catchThrowableOfType(InvalidConfigurationPropertyValueException.class,
				() -> context.getBean(ProjectorSettingsSource.class).forProjector(projector))
			.getName();
	}

	private static @Nullable Integer maxDeliver(ProjectorSettingsSource settings, String projector) {
		return settings.forProjector(projector).maxDeliver();
	}

	@Nested
	class OnTheWayToAProjector {

		private final ApplicationContextRunner handlers = PropertiesProjectorSettingsTests.this.context
			.withBean(Endpoints.class)
			.withBean(Handlers.class);

		@Test
		void aPropertyForTheProjectorWinsOverTheAnnotation() {
			this.handlers.withPropertyValues("eventing.projectors.annotated.max-deliver=9")
				.run((found) -> assertThat(
						options(found.getBean(Endpoints.class), "annotated").get(ProjectorSettings::maxDeliver))
					.isEqualTo(9));
		}

		@Test
		void theAnnotationWinsOverTheDefaults() {
			this.handlers.withPropertyValues("eventing.projector.defaults.max-deliver=8")
				.run((found) -> assertThat(
						options(found.getBean(Endpoints.class), "annotated").get(ProjectorSettings::maxDeliver))
					.isEqualTo(5));
		}

		@Test
		void theDefaultsWinOverWhatIsBuiltIn() {
			this.handlers.withPropertyValues("eventing.projector.defaults.max-deliver=8")
				.run((found) -> assertThat(
						options(found.getBean(Endpoints.class), "silent").get(ProjectorSettings::maxDeliver))
					.isEqualTo(8));
		}

		@Test
		void whatIsBuiltInHoldsWhereNobodySaysAnything() {
			this.handlers.run((found) -> assertThat(
					options(found.getBean(Endpoints.class), "silent").get(ProjectorSettings::maxDeliver))
				.isEqualTo(ProjectorSettings.BUILT_IN.maxDeliver()));
		}

		private static ProjectorOptions options(Endpoints endpoints, String projector) {
			return endpoints.registered.stream()
				.filter((endpoint) -> endpoint.name().equals(projector))
				.findFirst()
				.orElseThrow()
				.options();
		}

	}

	record Line(String text) implements Origin {
	}

	/** Takes endpoints in place of the registry, so that nothing is started. */
	static final class Endpoints implements ProjectorEndpoints {

		private final List<ProjectorEndpoint> registered = new ArrayList<>();

		@Override
		public void register(ProjectorEndpoint endpoint) {
			this.registered.add(endpoint);
		}

	}

	static final class Handlers {

		@ProjectorEventHandler(subject = "users.{tenant}.created", projectorName = "annotated", maxDeliver = 5)
		void annotated(UserCreated event) {
		}

		@ProjectorEventHandler(subject = "users.{tenant}.created", projectorName = "silent")
		void silent(UserCreated event) {
		}

	}

	record UserCreated(String name) {
	}

}
