package dev.eventing.sdk.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.config.EnableEventing;
import dev.eventing.sdk.config.EventingConfiguration;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.relay.PublishMode;
import dev.eventing.sdk.relay.RefusedEvents;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.PostgresNotifications;
import dev.eventing.sdk.store.StoreOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

class EventingAutoConfigurationTests {

	/** Definitions of methods with {@code @Bean} in the SDK's configurations. */
	private static final Pattern FROM = Pattern
		.compile("factoryBeanName=dev\\.eventing\\.|factoryMethodName=\\w+;.*dev/eventing/sdk/(config|autoconfigure)/");

	private final ApplicationContextRunner withoutDatabase = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
		.withPropertyValues("eventing.schema.mode=none");

	private final ApplicationContextRunner context = this.withoutDatabase.withUserConfiguration(Database.class);

	@Test
	void wiresTheSdkFromADataSourceAlone() {
		this.context.run((found) -> assertThat(found).hasSingleBean(ProjectorRegistry.class)
			.hasSingleBean(EventPublisher.class)
			.hasSingleBean(NatsClient.class)
			.hasSingleBean(ConnectionPoolCheck.class));
	}

	@Test
	void leavesAllNamesOfBeansButItsOwnToTheApplication() {
		this.context.run((found) -> {
			ConfigurableListableBeanFactory beans = found.getSourceApplicationContext().getBeanFactory();
			List<String> ours = Stream.of(beans.getBeanDefinitionNames())
				.filter((name) -> FROM.matcher(beans.getBeanDefinition(name) + "").find())
				.toList();
			assertThat(ours).hasSizeGreaterThan(30).allMatch((name) -> name.startsWith("eventing"));
		});
	}

	@Test
	void isNamedToBoot() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())).contains(
				EventingAutoConfiguration.class.getName(), EventingWithoutDatabaseAutoConfiguration.class.getName());
	}

	@Test
	void isSwitchedOffByAProperty() {
		this.context.withPropertyValues("eventing.enabled=false")
			.run((found) -> assertThat(found).hasNotFailed().doesNotHaveBean(ProjectorRegistry.class));
	}

	@Test
	void doesNothingWithoutADataSource() {
		this.withoutDatabase
			.run((found) -> assertThat(found).hasNotFailed().doesNotHaveBean(EventingConfiguration.class));
	}

	@Test
	void failsWhereThereAreProjectorsAndNoDataSource() {
		this.withoutDatabase.withConfiguration(AutoConfigurations.of(EventingWithoutDatabaseAutoConfiguration.class))
			.withBean(PropertiesProjectorSettingsTests.Handlers.class)
			.run((found) -> assertThat(found).getFailure()
				.isInstanceOf(StartRefusedException.class)
				.hasMessageContaining("Projector 'annotated' cannot run: the application has no DataSource"));
	}

	@Test
	void failsWhereThereAreRelaysAndNoDataSource() {
		this.withoutDatabase.withConfiguration(AutoConfigurations.of(EventingWithoutDatabaseAutoConfiguration.class))
			.withPropertyValues("eventing.relays.orders.window=1000")
			.run((found) -> assertThat(found).getFailure()
				.hasRootCauseInstanceOf(StartRefusedException.class)
				.rootCause()
				.hasMessageContaining("Relays [orders] cannot run"));
	}

	@Test
	void startsWithoutADataSourceWhereNothingIsToRun() {
		this.withoutDatabase.withConfiguration(AutoConfigurations.of(EventingWithoutDatabaseAutoConfiguration.class))
			.run((found) -> assertThat(found).hasNotFailed());
		this.withoutDatabase.withConfiguration(AutoConfigurations.of(EventingWithoutDatabaseAutoConfiguration.class))
			.withBean(PropertiesProjectorSettingsTests.Handlers.class)
			.withPropertyValues("eventing.enabled=false")
			.run((found) -> assertThat(found).hasNotFailed());
	}

	@Test
	void looksForADataSourceOnlyWhereItHasNone() {
		this.context.withConfiguration(AutoConfigurations.of(EventingWithoutDatabaseAutoConfiguration.class))
			.run((found) -> assertThat(found).hasNotFailed()
				.doesNotHaveBean(EventingWithoutDatabaseAutoConfiguration.class));
	}

	@Test
	void failsRatherThanGuessBetweenTwoTransactionManagers() {
		DriverManagerDataSource dataSource = new DriverManagerDataSource();
		this.withoutDatabase.withBean(DataSource.class, () -> dataSource)
			.withBean("one", PlatformTransactionManager.class, () -> new JdbcTransactionManager(dataSource))
			.withBean("other", PlatformTransactionManager.class, () -> new JdbcTransactionManager(dataSource))
			.run((found) -> assertThat(found).getFailure()
				.hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class));
	}

	@Test
	void makesNothingTwiceBesideEnableEventing() {
		this.context.withUserConfiguration(Enabled.class)
			.run((found) -> assertThat(found).hasSingleBean(ProjectorRegistry.class)
				.hasSingleBean(SchemaInitializer.class)
				.hasSingleBean(NatsOptions.class));
	}

	@Test
	void givesWayToTheApplicationsOwnBeans() {
		NatsOptions options = NatsOptions.of("nats://elsewhere:4222");
		ProjectorRuntime runtime = new ProjectorRuntime(Duration.ofMinutes(1), Thread::new, Duration.ofHours(1));
		ProjectorSettingsSource settings = ProjectorSettingsSource.none();
		this.context.withBean(NatsOptions.class, () -> options)
			.withBean(ProjectorRuntime.class, () -> runtime)
			.withBean(ProjectorSettingsSource.class, () -> settings)
			.withBean(EventingSchema.class, () -> new EventingSchema("mine"))
			.withBean(SchemaMode.class, () -> SchemaMode.NONE)
			.run((found) -> {
				assertThat(found.getBean(NatsOptions.class)).isSameAs(options);
				assertThat(found.getBean(ProjectorRuntime.class)).isSameAs(runtime);
				assertThat(found.getBean(ProjectorSettingsSource.class)).isSameAs(settings);
				assertThat(found.getBean(EventingSchema.class).name()).isEqualTo("mine");
				assertThat(found.getBean(SchemaMode.class)).isEqualTo(SchemaMode.NONE);
			});
	}

	@Test
	void usesTheApplicationsPartInPlaceOfItsOwn() {
		NatsClient client = new NatsClient(NatsOptions.of("nats://elsewhere:4222"));
		EventReader reader = new EventReader(EventJson.mapper());
		this.context.withBean("ours", NatsClient.class, () -> client)
			.withBean("oursToo", EventReader.class, () -> reader)
			.run((found) -> {
				assertThat(found.getBean(NatsClient.class)).isSameAs(client);
				assertThat(found.getBean(EventReader.class)).isSameAs(reader);
				assertThat(found.getBean(EventPublisher.class)).extracting("client").isSameAs(client);
			});
	}

	@Test
	void doesNotInitializeTheSchemaBesideTheApplicationsOwnInitializer() {
		this.context.withPropertyValues("eventing.schema.mode=validate")
			.withBean("ours", SchemaInitializer.class,
					() -> new SchemaInitializer(new DriverManagerDataSource(), EventingSchema.defaults(),
							SchemaMode.NONE))
			.run((found) -> assertThat(found).hasNotFailed());
	}

	@Test
	void checksTheSchemaUnlessToldOtherwise() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
			.withUserConfiguration(Database.class)
			.run((found) -> assertThat(found).hasFailed());
	}

	@Test
	void saysWhichSchemaNameIsWrong() {
		this.context.withPropertyValues("eventing.schema.name=Not-A-Schema")
			.run((found) -> assertThat(found).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class,
						(failure) -> assertThat(failure.getName()).isEqualTo("eventing.schema.name")));
	}

	@Test
	void readsHowEventsAreAppendedAndPublished() {
		this.context.withPropertyValues("spring.application.name=shop").run((found) -> {
			assertThat(found.getBean(StoreOptions.class))
				.isEqualTo(new StoreOptions("shop", EventSubjects.DEFAULT, false));
			assertThat(found.getBean(EventSubjects.class)).isEqualTo(EventSubjects.DEFAULT);
			assertThat(found.getBeanProvider(PostgresNotifications.class).getIfAvailable()).isNull();
			assertThat(found).hasSingleBean(EventStore.class).hasSingleBean(EventLog.class);
		});
		this.context
			.withPropertyValues("eventing.store.source=orders", "eventing.store.notify=true",
					"eventing.store.subject=events.{tenant}.{type}")
			.run((found) -> {
				assertThat(found.getBean(StoreOptions.class))
					.isEqualTo(new StoreOptions("orders", EventSubjects.of("events.{tenant}.{type}"), true));
				assertThat(found.getBean(EventSubjects.class)).hasToString("events.{tenant}.{type}");
				assertThat(found.getBeanProvider(PostgresNotifications.class).getIfAvailable()).isNotNull();
			});
	}

	@Test
	void saysWhichSubjectOfTheStoreIsWrong() {
		this.context.withPropertyValues("eventing.store.subject=events.{customer}")
			.run((found) -> assertThat(found).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class,
						(failure) -> assertThat(failure.getName()).isEqualTo("eventing.store.subject")));
	}

	@Test
	void declaresTheStreamsThatPropertiesName() {
		this.context
			.withPropertyValues("eventing.streams.ORDERS.subjects=orders.>,carts.>",
					"eventing.streams.ORDERS.replicas=3", "eventing.streams.ORDERS.duplicate-window=5m",
					"eventing.streams.USER_EVENTS.subjects=users.>")
			.run((found) -> assertThat(found.getBeansOfType(StreamSpec.class).values()).containsExactlyInAnyOrder(
					new StreamSpec("ORDERS", List.of("orders.>", "carts.>"), 3, Duration.ofMinutes(5)),
					new StreamSpec("USER_EVENTS", List.of("users.>"), 1, null)));
	}

	@Test
	void declaresNoStreamUnlessAsked() {
		this.context.run((found) -> assertThat(found).doesNotHaveBean(StreamSpec.class));
	}

	@Test
	void declaresTheRelaysThatPropertiesName() {
		this.context
			.withPropertyValues("eventing.relays.orders.categories=order,cart", "eventing.relays.orders.window=4000",
					"eventing.relays.orders.publish-mode=atomic", "eventing.relays.orders.refused-events=skip",
					"eventing.relays.users.subject=users.{tenant}.{type}")
			.run((found) -> assertThat(found.getBeansOfType(RelayOptions.class).values())
				.containsExactlyInAnyOrder(
						RelayOptions.named("orders")
							.withCategories("order", "cart")
							.withWindow(4000, RelayOptions.DEFAULT_PAGE_SIZE)
							.with(PublishMode.ATOMIC)
							.with(RefusedEvents.SKIP),
						RelayOptions.named("users").withSubjects("users.{tenant}.{type}")));
	}

	@Test
	void aRelayPublishesToTheSubjectsOfTheStoreUnlessItNamesOthers() {
		this.context
			.withPropertyValues("eventing.store.subject={tenant}.{type}", "eventing.relays.default.enabled=true",
					"eventing.relays.off.enabled=false")
			.run((found) -> assertThat(found.getBeansOfType(RelayOptions.class).values())
				.containsExactly(RelayOptions.defaults().withSubjects("{tenant}.{type}")));
	}

	@Test
	void runsNoRelayUnlessAsked() {
		this.context.run((found) -> assertThat(found.getBean(Relays.class).status()).isEmpty());
	}

	@Test
	void refusesARelayWithoutRoomForAPage() {
		this.context.withPropertyValues("eventing.relays.orders.window=10")
			.run((found) -> assertThat(found).getFailure()
				.rootCause()
				.isInstanceOf(InvalidOptionsException.class)
				.hasMessageContaining("'window' must be from 'pageSize' (500)"));
	}

	@Test
	void refusesAStreamWithoutSubjects() {
		this.context.withPropertyValues("eventing.streams.ORDERS.replicas=3")
			.run((found) -> assertThat(found).getFailure()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class,
						(failure) -> assertThat(failure.getName()).isEqualTo("eventing.streams.ORDERS.subjects")));
	}

	@Test
	void readsHowLongRowsOfProcessedEventsAreKept() {
		this.context.run((found) -> assertThat(found.getBean(PruningOptions.class)).isEqualTo(PruningOptions.DEFAULTS));
		this.context
			.withPropertyValues("eventing.processed-events.prune=false", "eventing.processed-events.retention=30d",
					"eventing.processed-events.prune-every=6h")
			.run((found) -> assertThat(found.getBean(PruningOptions.class))
				.isEqualTo(new PruningOptions(false, Duration.ofDays(30), Duration.ofHours(6))));
		this.context.withPropertyValues("eventing.processed-events.retention=10m")
			.run((found) -> assertThat(found).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class,
						(failure) -> assertThat(failure.getName()).isEqualTo("eventing.processed-events")));
	}

	@Test
	void readsHowLongToDrain() {
		this.context.run((found) -> assertThat(found.getBean(ProjectorRuntime.class).drainTimeout())
			.isEqualTo(ProjectorRuntime.DEFAULT_DRAIN_TIMEOUT));
		this.context.withPropertyValues("eventing.projector.drain-timeout=25s")
			.run((found) -> assertThat(found.getBean(ProjectorRegistry.class)).extracting("drain")
				.isEqualTo(Duration.ofSeconds(25)));
	}

	@Test
	void readsHowLongAFormerGenerationIsFed() {
		this.context.run((found) -> assertThat(found.getBean(ProjectorRuntime.class).standbyLimit())
			.isEqualTo(ProjectorRuntime.DEFAULT_STANDBY_LIMIT));
		this.context.withPropertyValues("eventing.projections.standby-limit=3d")
			.run((found) -> assertThat(found.getBean(ProjectorRuntime.class).standbyLimit())
				.isEqualTo(Duration.ofDays(3)));
		this.context.withPropertyValues("eventing.projections.standby-limit=0")
			.run((found) -> assertThat(found).getFailure()
				.rootCause()
				.hasMessageContaining("eventing.projections.standby-limit"));
	}

	@Test
	void runsHandlersOnPlatformThreadsUnlessToldOtherwise() {
		this.context.run((found) -> assertThat(laneThreadGroup(found.getBean(ProjectorRuntime.class)))
			.isNotEqualTo("VirtualThreads"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void runsHandlersOnVirtualThreadsWhereBootDoes() {
		this.context.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((found) -> assertThat(laneThreadGroup(found.getBean(ProjectorRuntime.class)))
				.isEqualTo("VirtualThreads"));
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_20)
	void runsHandlersOnPlatformThreadsWhereThereAreNoOthers() {
		this.context.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((found) -> assertThat(laneThreadGroup(found.getBean(ProjectorRuntime.class)))
				.isNotEqualTo("VirtualThreads"));
	}

	// The only mark of a virtual thread that Java 17 can ask for.
	private static String laneThreadGroup(ProjectorRuntime runtime) {
		Thread thread = runtime.laneThreads().newThread(() -> {
		});
		return (thread.getThreadGroup() != null) ? thread.getThreadGroup().getName() : "";
	}

	@Configuration(proxyBeanMethods = false)
	static class Database {

		@Bean
		DriverManagerDataSource dataSource() {
			return new DriverManagerDataSource("jdbc:none:nowhere");
		}

		@Bean
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableEventing
	static class Enabled {

	}

}
