package dev.eventing.sdk.config;

import java.time.Clock;
import java.util.List;

import javax.sql.DataSource;

import dev.eventing.sdk.annotation.ChildContexts;
import dev.eventing.sdk.annotation.ProjectorAnnotationBeanPostProcessor;
import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.forward.ForwardingWorker;
import dev.eventing.sdk.deadletter.ledger.DeadLetterLedger;
import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.deadletter.ledger.OpenLetters;
import dev.eventing.sdk.erasure.Erasure;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventJsonMapper;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.idempotency.AppliedEvents;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projection.Checks;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.ReconciliationOptions;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.ledger.CheckRequests;
import dev.eventing.sdk.projection.ledger.JdbcChecks;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.projection.reconcile.DeclaredChecks;
import dev.eventing.sdk.projection.reconcile.ReconciliationRunner;
import dev.eventing.sdk.projection.reconcile.ReconciliationSchedule;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.projector.TenantTransactionListener;
import dev.eventing.sdk.projector.container.ProjectorContainers;
import dev.eventing.sdk.projector.inline.InlineAppends;
import dev.eventing.sdk.projector.progress.ProgressReader;
import dev.eventing.sdk.projector.pruning.PruningWorker;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayServices;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.MigrationDataSource;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.AppendListener;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventRows;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.PostgresNotifications;
import dev.eventing.sdk.store.StoreOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Declares the SDK's beans. {@link EnableEventing} lists the beans that the application
 * provides. Each bean here is a fallback: a bean of the same type that the application
 * declares replaces it.
 */
@Configuration(proxyBeanMethods = false)
@Import({ ChildContexts.class, EventFormConfiguration.class, InlineConfiguration.class, LiveViewConfiguration.class,
		LifecycleConfiguration.class })
public class EventingConfiguration {

	@Bean
	static ProjectorAnnotationBeanPostProcessor eventingProjectorAnnotations() {
		return new ProjectorAnnotationBeanPostProcessor();
	}

	@Bean
	@Fallback
	NatsClient eventingNatsClient(NatsOptions options) {
		return new NatsClient(options);
	}

	@Bean
	@Fallback
	Streams eventingStreams(NatsClient client, ObjectProvider<StreamSpec> declared) {
		return new Streams(client, declared.orderedStream().toList());
	}

	/** Lazy, so that it does not run when a bean of the application replaces it. */
	@Bean(initMethod = "initialize")
	@Fallback
	@Lazy
	SchemaInitializer eventingSchemaInitializer(DataSource dataSource, ObjectProvider<EventingSchema> schema,
			ObjectProvider<SchemaMode> mode, ObjectProvider<MigrationDataSource> migrations,
			ObjectProvider<JdbcOptions> jdbc) {
		return new SchemaInitializer(dataSource, schema.getIfAvailable(EventingSchema::defaults),
				mode.getIfAvailable(() -> SchemaMode.VALIDATE), migrations::getIfAvailable,
				jdbc.getIfAvailable(JdbcOptions::defaults).statementTimeout());
	}

	@Bean
	@Fallback
	EventPublisher eventingEventPublisher(NatsClient client, Streams streams, EventWriter writer) {
		return new EventPublisher(client, streams, writer);
	}

	@Bean
	@Fallback
	ProcessedEvents eventingProcessedEvents(DataSource dataSource, ObjectProvider<EventingSchema> schema,
			ObjectProvider<JdbcOptions> jdbc) {
		EventingSchema tables = schema.getIfAvailable(EventingSchema::defaults);
		return new ProcessedEvents(new JdbcTemplate(bounded(dataSource, jdbc)), tables, new OpenLetters(tables));
	}

	@Bean
	@Fallback
	DeadLetterLedger eventingDeadLetterLedger(DataSource dataSource, ObjectProvider<EventingSchema> schema,
			ObjectProvider<JdbcOptions> jdbc) {
		return new DeadLetterLedger(new JdbcTemplate(bounded(dataSource, jdbc)),
				schema.getIfAvailable(EventingSchema::defaults), EventJson.mapper());
	}

	@Bean
	@Fallback
	DeadLetters eventingDeadLetters(DataSource dataSource, ObjectProvider<EventingSchema> schema) {
		return new JdbcDeadLetters(dataSource, schema.getIfAvailable(EventingSchema::defaults), EventJson.mapper());
	}

	@Bean
	@Fallback
	Erasure eventingErasure(DataSource dataSource, ObjectProvider<EventingSchema> schema) {
		return new Erasure(dataSource, schema.getIfAvailable(EventingSchema::defaults));
	}

	@Bean
	@Fallback
	Projectors eventingProjectors(DataSource dataSource, ObjectProvider<EventingSchema> schema) {
		return new JdbcProjectors(dataSource, schema.getIfAvailable(EventingSchema::defaults));
	}

	@Bean
	@Fallback
	Projections eventingProjections(DataSource dataSource, ObjectProvider<EventingSchema> schema) {
		return new JdbcProjections(dataSource, schema.getIfAvailable(EventingSchema::defaults));
	}

	@Bean
	@Fallback
	DeclaredChecks eventingDeclaredChecks() {
		return new DeclaredChecks();
	}

	@Bean
	@Fallback
	CheckLedger eventingCheckLedger(DataSource dataSource, ObjectProvider<EventingSchema> schema,
			ObjectProvider<JdbcOptions> jdbc) {
		return new CheckLedger(bounded(dataSource, jdbc), schema.getIfAvailable(EventingSchema::defaults));
	}

	@Bean
	@Fallback
	CheckRequests eventingCheckRequests(DataSource dataSource, ObjectProvider<EventingSchema> schema,
			ObjectProvider<JdbcOptions> jdbc) {
		return new CheckRequests(bounded(dataSource, jdbc), schema.getIfAvailable(EventingSchema::defaults));
	}

	@Bean
	@Fallback
	Checks eventingChecks(CheckLedger ledger, CheckRequests requests) {
		return new JdbcChecks(ledger, requests);
	}

	@Bean
	@Fallback
	Reconciliations eventingReconciliations(DeclaredChecks checks, CheckLedger ledger, DataSource dataSource,
			ObjectProvider<EventingSchema> schema, ObjectProvider<ReconciliationOptions> options, EventJsonMapper json,
			EventVersions versions) {
		return new ReconciliationRunner(checks, ledger, dataSource, schema.getIfAvailable(EventingSchema::defaults),
				options.getIfAvailable(ReconciliationOptions::defaults), new EventRows(json.mapper(), versions));
	}

	/**
	 * Created after the schema, because a projector uses its tables when it starts.
	 * Defined before the other parts that run: they start in the order of their
	 * definitions, and if a projector cannot start, nothing else begins.
	 */
	@Bean
	@Fallback
	ProjectorContainers eventingProjectorRegistry(SchemaInitializer initialized, ProjectorServices services,
			ObjectProvider<ProjectorRuntime> runtime, InlineAppends inline) {
		return new ProjectorContainers(services, runtime.getIfAvailable(ProjectorRuntime::defaults), inline);
	}

	@Bean
	@Fallback
	ReconciliationSchedule eventingReconciliationSchedule(SchemaInitializer initialized,
			Reconciliations reconciliations, Leases leases, CheckLedger ledger, CheckRequests requests) {
		return new ReconciliationSchedule(reconciliations, leases, ledger, requests);
	}

	/** Null, which means no bean, if letters are not forwarded. */
	@Bean
	@Fallback
	@Nullable ForwardingWorker eventingDeadLetterForwarder(SchemaInitializer initialized, NatsClient client, Streams streams,
			Leases leases, DataSource dataSource, ObjectProvider<EventingSchema> schema,
			ObjectProvider<DeadLetterStreamOptions> options, ObjectProvider<JdbcOptions> jdbc) {
		return options.getIfAvailable(DeadLetterStreamOptions::defaults).forward() ? new ForwardingWorker(client,
				streams, leases, bounded(dataSource, jdbc), schema.getIfAvailable(EventingSchema::defaults)) : null;
	}

	@Bean
	@Fallback
	Leases eventingLeases(DataSource dataSource, ObjectProvider<EventingSchema> schema,
			ObjectProvider<LeaseOptions> options) {
		EventingSchema tables = schema.getIfAvailable(EventingSchema::defaults);
		return new Leases(dataSource, tables, options.getIfAvailable(LeaseOptions::defaults),
				List.of(new AppliedEvents(tables).lockedByClaims()));
	}

	@Bean
	@Fallback
	AppendSignal eventingAppendSignal() {
		return new AppendSignal();
	}

	/** Created after the schema, because users of the store append to its tables. */
	@Bean
	@Fallback
	EventStore eventingEventStore(SchemaInitializer initialized, DataSource dataSource,
			ObjectProvider<EventingSchema> schema, EventJsonMapper json, AppendSignal signal,
			ObjectProvider<StoreOptions> options, ObjectProvider<Clock> clock, EventWriter writer,
			ObjectProvider<AppendListener> listeners) {
		return new EventStore(dataSource, schema.getIfAvailable(EventingSchema::defaults), json.mapper(), signal,
				options.getIfAvailable(StoreOptions::defaults), clock.getIfUnique(Clock::systemUTC), writer)
			.withListeners(listeners.stream().toList());
	}

	/** Null, which means no bean, if the store does not notify other nodes. */
	@Bean(initMethod = "start")
	@Fallback
	@Nullable PostgresNotifications eventingPostgresNotifications(DataSource dataSource, ObjectProvider<EventingSchema> schema,
			AppendSignal signal, ObjectProvider<StoreOptions> options, ObjectProvider<JdbcOptions> jdbc) {
		return options.getIfAvailable(StoreOptions::defaults).notifies() ? new PostgresNotifications(
				bounded(dataSource, jdbc), schema.getIfAvailable(EventingSchema::defaults), signal) : null;
	}

	@Bean
	@Fallback
	EventLog eventingEventLog(SchemaInitializer initialized, DataSource dataSource,
			ObjectProvider<EventingSchema> schema, EventJsonMapper json, EventVersions versions,
			ObjectProvider<JdbcOptions> jdbc) {
		return new EventLog(bounded(dataSource, jdbc), schema.getIfAvailable(EventingSchema::defaults), json.mapper(),
				versions);
	}

	@Bean
	@Fallback
	EventSubjects eventingEventSubjects(ObjectProvider<StoreOptions> options) {
		return options.getIfAvailable(StoreOptions::defaults).subjects();
	}

	@Bean
	StoredSubjectsCheck eventingStoredSubjectsCheck(EventSubjects subjects, ProjectorRegistry registry,
			ObjectProvider<RelayOptions> relays) {
		return new StoredSubjectsCheck(subjects, registry::endpoints, () -> relays.orderedStream().toList());
	}

	@Bean
	@Fallback
	EventStoreAccess eventingEventStoreAccess(EventLog log, AppendSignal signal, EventSubjects subjects,
			EventWriter writer, ObjectProvider<EventStore> store) {
		return new EventStoreAccess(log, signal, subjects, writer, store::getObject);
	}

	@Bean
	@Fallback
	ProjectorProgress eventingProjectorProgress(ProjectorRegistry registry, ProjectorServices services) {
		return new ProgressReader(registry, services);
	}

	@Bean
	@Fallback
	PruningWorker eventingPruner(ProjectorRegistry registry, ProjectorServices services,
			ObjectProvider<PruningOptions> options) {
		return new PruningWorker(registry, services, options.getIfAvailable(() -> PruningOptions.DEFAULTS));
	}

	/** Created after the schema, because a relay uses its tables when it starts. */
	@Bean
	@Fallback
	Relays eventingRelays(SchemaInitializer initialized, NatsClient client, Streams streams, EventWriter writer,
			EventLog log, AppendSignal signal, Leases leases, DataSource dataSource,
			ObjectProvider<EventingSchema> schema, ObjectProvider<RelayOptions> relays,
			ObjectProvider<JdbcOptions> jdbc) {
		return new Relays(new RelayServices(client, streams, writer, log, signal, leases, bounded(dataSource, jdbc),
				schema.getIfAvailable(EventingSchema::defaults)), relays.orderedStream().toList());
	}

	@Bean
	@Fallback
	ProjectorServices eventingProjectorServices(NatsClient client, Streams streams, EventReader reader,
			DataSource dataSource, PlatformTransactionManager transactionManager, ProcessedEvents processedEvents,
			DeadLetterLedger deadLetters, ObjectProvider<DeadLetterStreamOptions> deadLetterStream,
			EventStoreAccess store, Leases leases, Reconciliations reconciliations,
			ObjectProvider<EventingSchema> schema, ObjectProvider<Clock> clock, ObjectProvider<JdbcOptions> jdbc,
			ObjectProvider<TenantTransactionListener> tenants, ListableBeanFactory beans) {
		return new ProjectorServices(client, streams, reader,
				new ProjectorServices.Database(bounded(dataSource, jdbc), transactionManager,
						schema.getIfAvailable(EventingSchema::defaults), jdbc.getIfAvailable(JdbcOptions::defaults),
						new ProjectorServices.Tenants(tenants.orderedStream().toList(), new TenantResolvers(beans)),
						new CachedEntities(beans)),
				new ProjectorServices.Tables(processedEvents, deadLetters, leases, reconciliations),
				deadLetterStream.getIfAvailable(DeadLetterStreamOptions::defaults), store,
				clock.getIfUnique(Clock::systemUTC));
	}

	/** For the SDK's own work. Operations that users request have other time limits. */
	private static DataSource bounded(DataSource dataSource, ObjectProvider<JdbcOptions> jdbc) {
		return BoundedDataSource.of(dataSource, jdbc.getIfAvailable(JdbcOptions::defaults).statementTimeout());
	}

}
