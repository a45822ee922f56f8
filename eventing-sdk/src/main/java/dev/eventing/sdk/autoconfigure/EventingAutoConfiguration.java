package dev.eventing.sdk.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

import javax.sql.DataSource;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.autoconfigure.EventingProperties.Nats;
import dev.eventing.sdk.config.EventingConfiguration;
import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.event.EventBuilder;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.WrittenVersions;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.liveview.LiveViewOptions;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.projection.ReconciliationOptions;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.MigrationDataSource;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.StoreOptions;
import dev.eventing.sdk.worker.StallOptions;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.util.StringUtils;

/**
 * Configures the SDK in a Boot application: {@link EventingConfiguration}, and the beans
 * that it leaves to the application. An additional {@code @EnableEventing} changes
 * nothing. If the application declares a bean of the same type, that bean replaces the
 * one of the SDK.
 *
 * <p>
 * Without a DataSource nothing is configured, and an application with projectors does not
 * start ({@link EventingWithoutDatabaseAutoConfiguration}). Of several DataSources or
 * transaction managers the primary one is used, else the one named {@code dataSource} or
 * {@code transactionManager}. If there is none of them, the start fails, because
 * projectors that silently do not run would be worse.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
		"org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
		"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
		"org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
		"org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
		"org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "eventing.enabled", matchIfMissing = true)
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(EventingProperties.class)
@Import({ EventingConfiguration.class, DeclaredStreams.class, DeclaredRelays.class })
@ImportRuntimeHints(PropertiesHints.class)
public final class EventingAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(NatsConnectionDetails.class)
	PropertiesNatsConnectionDetails eventingNatsConnectionDetails(EventingProperties properties,
			ObjectProvider<SslBundles> sslBundles) {
		return new PropertiesNatsConnectionDetails(properties.nats(), sslBundles.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	NatsOptions eventingNatsOptions(EventingProperties properties, NatsConnectionDetails details,
			Environment environment) {
		Nats nats = properties.nats();
		String name = (nats.connectionName() != null) ? nats.connectionName()
				: environment.getProperty("spring.application.name", "eventing-sdk");
		return NatsLogin.apply(details, JetStreamPlace.apply(nats, servers(details.getServers(), name, nats)));
	}

	private static NatsOptions servers(List<String> servers, String name, Nats nats) {
		try {
			return new NatsOptions(servers, name, nats.connectionTimeout(), nats.reconnectWait());
		}
		catch (JetStreamConfigurationException ex) {
			throw new InvalidConfigurationPropertyValueException("eventing.nats.servers",
					NatsOptions.withoutCredentials(servers), String.valueOf(ex.getMessage()));
		}
	}

	@Bean
	@ConditionalOnMissingBean
	EventingSchema eventingSchema(EventingProperties properties) {
		String name = properties.schema().name();
		try {
			return new EventingSchema(name);
		}
		catch (EventingException ex) {
			throw new InvalidConfigurationPropertyValueException("eventing.schema.name", name,
					String.valueOf(ex.getMessage()));
		}
	}

	@Bean
	@ConditionalOnMissingBean
	SchemaMode eventingSchemaMode(EventingProperties properties) {
		return properties.schema().mode();
	}

	@Bean
	@ConditionalOnMissingBean
	StallOptions eventingStallOptions(EventingProperties properties) {
		Duration stalledAfter = properties.watch().stalledAfter();
		try {
			return new StallOptions(stalledAfter);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException("eventing.watch.stalled-after", stalledAfter,
					String.valueOf(ex.getMessage()));
		}
	}

	@Bean
	@ConditionalOnMissingBean
	LeaseOptions eventingLeaseOptions(EventingProperties properties) {
		Duration duration = properties.lease().duration();
		try {
			return LeaseOptions.of(duration);
		}
		catch (EventingException ex) {
			throw new InvalidConfigurationPropertyValueException("eventing.lease.duration", duration,
					String.valueOf(ex.getMessage()));
		}
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcOptions eventingJdbcOptions(EventingProperties properties) {
		EventingProperties.Jdbc said = properties.jdbc();
		try {
			return new JdbcOptions(said.statementTimeout(), said.handlerTimeout());
		}
		catch (EventingException ex) {
			throw new InvalidConfigurationPropertyValueException("eventing.jdbc", said,
					String.valueOf(ex.getMessage()));
		}
	}

	@Bean
	@ConditionalOnMissingBean
	PruningOptions eventingPruningOptions(EventingProperties properties) {
		EventingProperties.ProcessedEvents said = properties.processedEvents();
		try {
			return new PruningOptions(said.prune(), said.retention(), said.pruneEvery());
		}
		catch (InvalidOptionsException ex) {
			throw new InvalidConfigurationPropertyValueException("eventing.processed-events", said,
					String.join(" ", ex.problems()));
		}
	}

	@Bean
	@ConditionalOnMissingBean
	ReconciliationOptions eventingReconciliationOptions(EventingProperties properties) {
		Duration timeout = properties.reconciliation().timeout();
		try {
			return new ReconciliationOptions(timeout);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException("eventing.reconciliation.timeout", timeout,
					String.valueOf(ex.getMessage()));
		}
	}

	@Bean
	@ConditionalOnMissingBean
	DeadLetterStreamOptions eventingDeadLetterStreamOptions(EventingProperties properties) {
		return new DeadLetterStreamOptions(properties.deadletters().forward(),
				properties.deadletters().captureAdvisories());
	}

	@Bean
	@ConditionalOnMissingBean
	WrittenVersions eventingWrittenVersions(EventingProperties properties) {
		return new WrittenVersions(properties.events().writtenVersions());
	}

	@Bean
	@ConditionalOnMissingBean
	StoreOptions eventingStoreOptions(EventingProperties properties, Environment environment) {
		String source = properties.store().source();
		return new StoreOptions(
				StringUtils.hasText(source) ? source
						: environment.getProperty("spring.application.name", EventBuilder.DEFAULT_SOURCE),
				subjects(properties.store().subject()), properties.store().notifies());
	}

	private static EventSubjects subjects(String pattern) {
		try {
			return EventSubjects.of(pattern);
		}
		catch (EventingException ex) {
			throw new InvalidConfigurationPropertyValueException("eventing.store.subject", pattern,
					String.valueOf(ex.getMessage()));
		}
	}

	@Bean
	@ConditionalOnMissingBean(ProjectorSettingsSource.class)
	PropertiesProjectorSettings eventingProjectorSettings(EventingProperties properties, Environment environment) {
		return new PropertiesProjectorSettings(properties, environment);
	}

	@Bean
	@ConditionalOnBean(PropertiesProjectorSettings.class)
	UnusedProjectorProperties eventingUnusedProjectorProperties(PropertiesProjectorSettings settings) {
		return new UnusedProjectorProperties(settings);
	}

	@Bean
	static SpelledBeans eventingSpelledBeans(ObjectProvider<RelayOptions> relays, ObjectProvider<StreamSpec> streams) {
		return new SpelledBeans(relays, streams);
	}

	@Bean
	static UnknownProperties eventingUnknownProperties(Environment environment) {
		return new UnknownProperties(environment);
	}

	@Bean
	@ConditionalOnMissingBean
	LiveViewOptions eventingLiveViewOptions(EventingProperties properties) {
		long bytes = properties.liveViews().maxStateSize().toBytes();
		return new LiveViewOptions((int) Math.min(bytes, Integer.MAX_VALUE), properties.liveViews().frames());
	}

	@Bean
	@ConditionalOnMissingBean
	ProjectorRuntime eventingProjectorRuntime(EventingProperties properties, Environment environment) {
		ThreadFactory threads = Threading.VIRTUAL.isActive(environment)
				? new VirtualThreadTaskExecutor().getVirtualThreadFactory() : Thread::new;
		return new ProjectorRuntime(properties.projector().drainTimeout(), threads,
				properties.projections().standbyLimit(), properties.log().exceptionMessages());
	}

	/** Creates the SDK's tables as the role of the application's own migrations. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Flyway.class)
	@ConditionalOnBean(Flyway.class)
	static class Migrations {

		/** Lazy: asked only by a start that migrates. */
		@Bean
		@Lazy
		@ConditionalOnMissingBean
		@Nullable MigrationDataSource eventingMigrationDataSource(Map<String, Flyway> flyways, ObjectProvider<Flyway> flyway,
				DataSource dataSource, ObjectProvider<JdbcOptions> jdbc) {
			Duration timeout = jdbc.getIfAvailable(JdbcOptions::defaults).statementTimeout();
			return new FlywayConnections(dataSource, timeout).choose(flyways, flyway.getIfUnique());
		}

	}

	/** Used if Boot can read the size of a DataSource's pool. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DataSourcePoolMetadataProvider.class)
	static class ConnectionPools {

		@Bean
		ConnectionPoolCheck eventingConnectionPoolCheck(ProjectorRegistry projectors, DataSource dataSource,
				ObjectProvider<DataSourcePoolMetadataProvider> pools) {
			return new ConnectionPoolCheck(() -> projectors.endpoints().size(), projectors::connections,
					projectors::connectionsBeside, dataSource, pools.orderedStream().toList());
		}

	}

	/**
	 * Lets Boot order the schema initialization even if nothing else initializes the
	 * database.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DatabaseInitializationDependencyConfigurer.class)
	@Import(DatabaseInitializationDependencyConfigurer.class)
	static class SchemaOrder {

	}

}
