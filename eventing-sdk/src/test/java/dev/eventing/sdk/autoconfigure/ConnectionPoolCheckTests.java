package dev.eventing.sdk.autoconfigure;

import java.util.List;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ProjectorRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ConnectionPoolCheckTests {

	@Test
	void warnsOfAPoolThatIsSmallerThanWhatProjectorsNeed(CapturedOutput output) {
		check(8, (dataSource) -> new Pool(7));
		assertThat(output).contains("WARN")
			.contains("has 7 connections")
			.contains("spring.datasource.hikari.maximum-pool-size=12 (4 of them for the application itself)");
	}

	/** Three projectors with the default of Boot. */
	@Test
	void notesOnceAPoolThatIsEnoughForEachProjectorButNotForAllLanes(CapturedOutput output) {
		check(17, (dataSource) -> new Pool(10));
		assertThat(output).contains("INFO")
			.doesNotContain("WARN")
			.containsOnlyOnce("The connection pool has 10 connections, and the projectors use up to 17");
	}

	@Test
	void countsAConnectionPerLaneOneMorePerProjectorAndTwoForAll() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
			.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
			.withBean(Handlers.class)
			.withPropertyValues("eventing.schema.mode=none", "eventing.nats.servers=nats://127.0.0.1:1")
			.withPropertyValues("eventing.projectors.one.concurrency=1", "eventing.projectors.three.concurrency=3")
			.run((context) -> assertThat(context.getBean(ProjectorRegistry.class).connections())
				.isEqualTo((1 + 1) + (3 + 1) + 2));
	}

	@Test
	void countsAGenerationBesideTheLiveOneOfTheProjectorThatNeedsMost() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
			.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
			.withBean(Handlers.class)
			.withBean(Few.class)
			.withBean(Many.class)
			.withPropertyValues("eventing.schema.mode=none", "eventing.nats.servers=nats://127.0.0.1:1")
			.withPropertyValues("eventing.projectors.one.concurrency=9", "eventing.projectors.few.concurrency=2",
					"eventing.projectors.many.concurrency=5")
			.run((context) -> assertThat(context.getBean(ProjectorRegistry.class).connectionsBeside())
				.isEqualTo(5 + 1));
	}

	@Test
	void countsNoGenerationWhereNoProjectorCanHaveOne() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
			.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
			.withBean(Handlers.class)
			.withPropertyValues("eventing.schema.mode=none", "eventing.nats.servers=nats://127.0.0.1:1")
			.run((context) -> assertThat(context.getBean(ProjectorRegistry.class).connectionsBeside()).isZero());
	}

	@Test
	void notesWhatAGenerationBesideTheLiveOneNeedsMore(CapturedOutput output) {
		check(8, 3, (dataSource) -> new Pool(10));
		assertThat(output).contains("INFO")
			.doesNotContain("WARN")
			.contains("needs up to 3 connections more")
			.contains("until it is retired: 11 with those of the projectors. The connection pool has 10.");
	}

	@Test
	void countsNothingWhereThereIsNoProjector() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
			.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
			.withPropertyValues("eventing.schema.mode=none", "eventing.nats.servers=nats://127.0.0.1:1")
			.run((context) -> assertThat(context.getBean(ProjectorRegistry.class).connections()).isZero());
	}

	@Test
	void saysNothingOfAPoolThatIsLargeEnough(CapturedOutput output) {
		check(8, (dataSource) -> new Pool(8));
		check(8, 3, (dataSource) -> new Pool(11));
		assertThat(output).isEmpty();
	}

	/** Its event reaches the listeners of the contexts above. */
	@Test
	void saysNothingAgainWhenAContextBelowStarts(CapturedOutput output) {
		try (GenericApplicationContext above = new GenericApplicationContext();
				GenericApplicationContext below = new GenericApplicationContext(above)) {
			above.addApplicationListener(new ConnectionPoolCheck(() -> 3, () -> 17, () -> 0,
					new DriverManagerDataSource(), List.of((dataSource) -> new Pool(10))));
			above.refresh();
			below.refresh();
			assertThat(output).containsOnlyOnce("The connection pool has 10 connections");
		}
	}

	@Test
	void saysNothingOfADataSourceThatIsNoPool(CapturedOutput output) {
		check(6, (dataSource) -> null);
		assertThat(output).isEmpty();
	}

	@Test
	void saysNothingOfAPoolWithoutABound(CapturedOutput output) {
		check(6, (dataSource) -> new Pool(-1));
		assertThat(output).isEmpty();
	}

	private static void check(int needed, DataSourcePoolMetadataProvider pools) {
		check(needed, 0, pools);
	}

	private static void check(int needed, int beside, DataSourcePoolMetadataProvider pools) {
		new ConnectionPoolCheck(() -> 3, () -> needed, () -> beside, new DriverManagerDataSource(), List.of(pools))
			.onApplicationEvent(new ContextRefreshedEvent(new StaticApplicationContext()));
	}

	static class Handlers {

		@ProjectorEventHandler(subject = "a.{tenant}", projectorName = "one")
		void one(JsonNode event) {
		}

		@ProjectorEventHandler(subject = "a.{tenant}", projectorName = "three")
		void three(JsonNode event) {
		}

	}

	@Projector(value = "few", tables = "few")
	static class Few {

		@ProjectorEventHandler(subject = "a.{tenant}")
		void on(JsonNode event) {
		}

	}

	@Projector(value = "many", tables = "many")
	static class Many {

		@ProjectorEventHandler(subject = "a.{tenant}")
		void on(JsonNode event) {
		}

	}

	/** The metadata of a pool. */
	private record Pool(int max) implements DataSourcePoolMetadata {

		@Override
		public @Nullable Float getUsage() {
			return null;
		}

		@Override
		public @Nullable Integer getActive() {
			return null;
		}

		@Override
		public Integer getMax() {
			return this.max;
		}

		@Override
		public @Nullable Integer getMin() {
			return null;
		}

		@Override
		public @Nullable String getValidationQuery() {
			return null;
		}

		@Override
		public @Nullable Boolean getDefaultAutoCommit() {
			return null;
		}

	}

}
