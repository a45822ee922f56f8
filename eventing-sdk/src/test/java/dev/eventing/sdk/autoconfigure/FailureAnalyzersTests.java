package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorStartException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContextException;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class FailureAnalyzersTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
		.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
		.withPropertyValues("eventing.schema.mode=none", "eventing.nats.servers=nats://127.0.0.1:1");

	@Test
	void giveEachMistakeInHandlersALine() {
		this.context.withBean(Mistaken.class).run((found) -> {
			FailureAnalysis analysis = analyze(found.getStartupFailure());
			assertThat(analysis.getDescription().lines()).hasSize(4)
				.element(0)
				.asString()
				.startsWith("The declarations of projectors are not valid");
			assertThat(analysis.getDescription().lines().skip(2))
				.allSatisfy((line) -> assertThat(line).startsWith("    - ").containsPattern("Mistaken\\.(one|other)"));
			assertThat(analysis.getAction()).contains("eventing.projectors.<name>.*");
		});
	}

	@Test
	void giveAnOptionOutOfRangeThatAPropertySetsALine() {
		this.context.withBean(Fine.class)
			.withPropertyValues("eventing.projectors.fine.max-deliver=0")
			.run((found) -> assertThat(analyze(found.getStartupFailure()).getDescription()).contains("'fine'")
				.contains("'maxDeliver' must be at least 1, was 0"));
	}

	@Test
	void sayHowLiveViewsAreGuarded() {
		FailureAnalysis analysis = analyze(StartRefusedException.unguardedLiveViews());
		assertThat(analysis.getDescription()).contains("eventing.live-views.web.enabled", "LiveViewAccess");
		assertThat(analysis.getAction()).contains("LiveViewAccess", "remove");
	}

	@Test
	void giveEachProjectorThatCannotStartALine() {
		FailureAnalysis analysis = analyze(new ApplicationContextException("Failed to start bean",
				new ProjectorStartException(List.of("First is wrong.", "Second is wrong."))));
		assertThat(analysis.getDescription().lines()).containsExactly("Projectors cannot start:", "",
				"    - First is wrong.", "    - Second is wrong.");
		assertThat(analysis.getAction()).contains("eventing.streams.<NAME>.subjects");
	}

	@Test
	void giveEachOptionOutOfRangeALine() {
		ProjectorSettings wrong = ProjectorSettings.builder().maxDeliver(0).maxAckPending(-1).build();
		InvalidOptionsException failure = catchThrowableOfType(InvalidOptionsException.class,
				() -> ProjectorOptions.of(wrong));
		assertThat(analyze(failure).getDescription().lines()).containsExactly(
				"Options of a projector are out of range:", "", "    - 'maxDeliver' must be at least 1, was 0",
				"    - 'maxAckPending' must be at least 1, was -1");
	}

	@Test
	void sayInOneSentenceThatThereIsNoDatabase() {
		this.context.withPropertyValues("eventing.schema.mode=validate").run((found) -> {
			FailureAnalysis analysis = analyze(found.getStartupFailure());
			assertThat(analysis.getDescription().lines()).singleElement()
				.asString()
				.startsWith("The database cannot be reached to look for the tables of schema 'eventing': ");
			assertThat(analysis.getAction()).contains("'spring.datasource.url'", "eventing.schema.mode=none");
		});
	}

	@Test
	void sayThatThereIsNoDataSource() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class,
					EventingWithoutDatabaseAutoConfiguration.class))
			.withBean(Fine.class)
			.run((found) -> {
				FailureAnalysis analysis = analyze(found.getStartupFailure());
				assertThat(analysis.getDescription())
					.startsWith("Projector 'fine' cannot run: the application has no DataSource.");
				assertThat(analysis.getAction()).contains("spring-boot-starter-jdbc", "eventing.enabled=false");
			});
	}

	@Test
	void sayWhatToAddWhereFlywayIsMissing() {
		this.context.withPropertyValues("eventing.schema.mode=migrate").run((found) -> {
			FailureAnalysis analysis = analyze(found.getStartupFailure());
			assertThat(analysis.getDescription()).contains("org.flywaydb:flyway-database-postgresql");
			assertThat(analysis.getAction()).contains("spring-boot-starter-flyway")
				.contains("eventing.schema.mode=validate");
		});
	}

	@Test
	void nameWhereTheOptionsOfARelayAreSet() {
		this.context.withPropertyValues("eventing.relays.orders.window=1").run((found) -> {
			FailureAnalysis analysis = analyze(found.getStartupFailure());
			assertThat(analysis.getDescription().lines().limit(2))
				.containsExactly("Options of relay 'orders' are out of range:", "");
			assertThat(analysis.getAction()).contains("RelayOptions bean", "'eventing.relays.orders.*'");
		});
	}

	@Test
	void reportWhatAnOperatorMustChangeInTheWordsOfTheException() {
		FailureAnalysis analysis = analyze(new IllegalStateException("Failed to start",
				new JetStreamConfigurationException("Stream 'A' is missing. Consider declaring it.")));
		assertThat(analysis.getDescription()).isEqualTo("Stream 'A' is missing. Consider declaring it.");
		assertThat(analysis.getAction()).isNull();
	}

	@Test
	void leaveOtherFailuresAlone() {
		assertThat(analysisOf(new IllegalStateException("Projectors cannot start:"))).isNull();
		assertThat(analysisOf(new EventingException("Projectors cannot start:"))).isNull();
		assertThat(analysisOf(new NatsUnavailableException("NATS is away.", null))).isNull();
	}

	private static FailureAnalysis analyze(@Nullable Throwable failure) {
		return Objects.requireNonNull(analysisOf(Objects.requireNonNull(failure)),
				() -> "No analyzer knows " + failure);
	}

	/** By the analyzers as Boot finds them. */
	private static @Nullable FailureAnalysis analysisOf(Throwable failure) {
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, ArgumentResolver.of(Environment.class, new MockEnvironment()),
					(type, name, cause) -> assertThat(name).doesNotStartWith("dev.eventing"))
			.stream()
			.filter((analyzer) -> analyzer.getClass().getPackage().equals(FailureAnalyzersTests.class.getPackage()))
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	static final class Mistaken {

		@ProjectorEventHandler(subject = "users.{tenant}.created")
		void one() {
		}

		@ProjectorEventHandler(subject = "users.{tenant}.created")
		void other(int event) {
		}

	}

	static final class Fine {

		@ProjectorEventHandler(subject = "users.{tenant}.created", projectorName = "fine")
		void on(UserCreated event) {
		}

	}

	record UserCreated(String name) {
	}

}
