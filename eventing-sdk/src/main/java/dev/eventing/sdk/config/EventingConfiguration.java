package dev.eventing.sdk.config;

import java.time.Clock;
import java.util.List;

import javax.sql.DataSource;

import dev.eventing.sdk.annotation.BeanKinds;
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
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.idempotency.AppliedEvents;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.liveview.LiveViewOptions;
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
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventRows;
import dev.eventing.sdk.store.StoreOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Declares the SDK's beans. {@link EnableEventing} lists the beans that the application
 * provides. Each bean here is a fallback: a bean of the same type that the application
 * declares replaces it.
 */
@Configuration(proxyBeanMethods = false)
@Import({ ChildContexts.class, EventFormConfiguration.class, InlineConfiguration.class, LiveViewConfiguration.class,
		LifecycleConfiguration.class, StoreConfiguration.class })
public class EventingConfiguration {

	@Bean
	static ProjectorAnnotationBeanPostProcessor eventingProjectorAnnotations() {
		return new ProjectorAnnotationBeanPostProcessor();
	}

	@Bean
	BeanKinds eventingBeanKinds() {
		return new DeclaredBeanKinds();
	}

	/** Where the application declares no schema and no time limits, the defaults. */
	@Bean
	EventingDatabase eventingDatabase(DataSource dataSource, ObjectProvider<EventingSchema> schema,
			ObjectProvider<JdbcOptions> options) {
		return new EventingDatabase(dataSource, schema.getIfAvailable(EventingSchema::defaults),
				options.getIfAvailable(JdbcOptions::defaults));
	}

	@Bean
	DeclaredOptions eventingDeclaredOptions(ObjectProvider<StoreOptions> store,
			ObjectProvider<DeadLetterStreamOptions> deadLetterStream, ObjectProvider<LiveViewOptions> liveViews,
			ObjectProvider<Clock> clock) {
		return new DeclaredOptions(store.getIfAvailable(StoreOptions::defaults),
				deadLetterStream.getIfAvailable(DeadLetterStreamOptions::defaults),
				liveViews.getIfAvailable(() -> LiveViewOptions.DEFAULTS), clock.getIfUnique(Clock::systemUTC));
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
	SchemaInitializer eventingSchemaInitializer(EventingDatabase database, ObjectProvider<SchemaMode> mode,
			ObjectProvider<MigrationDataSource> migrations) {
		return new SchemaInitializer(database.dataSource(), database.schema(),
				mode.getIfAvailable(() -> SchemaMode.VALIDATE), migrations::getIfAvailable,
				database.options().statementTimeout());
	}

	@Bean
	@Fallback
	EventPublisher eventingEventPublisher(NatsClient client, Streams streams, EventWriter writer) {
		return new EventPublisher(client, streams, writer);
	}

	@Bean
	@Fallback
	ProcessedEvents eventingProcessedEvents(EventingDatabase database) {
		return new ProcessedEvents(database.jdbc(), database.schema(), new OpenLetters(database.schema()));
	}

	@Bean
	@Fallback
	DeadLetterLedger eventingDeadLetterLedger(EventingDatabase database) {
		return new DeadLetterLedger(database.jdbc(), database.schema(), EventJson.mapper());
	}

	@Bean
	@Fallback
	DeadLetters eventingDeadLetters(EventingDatabase database) {
		return new JdbcDeadLetters(database.dataSource(), database.schema(), EventJson.mapper());
	}

	@Bean
	@Fallback
	Erasure eventingErasure(EventingDatabase database) {
		return new Erasure(database.dataSource(), database.schema());
	}

	@Bean
	@Fallback
	Projectors eventingProjectors(EventingDatabase database) {
		return new JdbcProjectors(database.dataSource(), database.schema());
	}

	@Bean
	@Fallback
	Projections eventingProjections(EventingDatabase database) {
		return new JdbcProjections(database.dataSource(), database.schema());
	}

	@Bean
	@Fallback
	DeclaredChecks eventingDeclaredChecks() {
		return new DeclaredChecks();
	}

	@Bean
	@Fallback
	CheckLedger eventingCheckLedger(EventingDatabase database) {
		return new CheckLedger(database.bounded(), database.schema());
	}

	@Bean
	@Fallback
	CheckRequests eventingCheckRequests(EventingDatabase database) {
		return new CheckRequests(database.bounded(), database.schema());
	}

	@Bean
	@Fallback
	Checks eventingChecks(CheckLedger ledger, CheckRequests requests) {
		return new JdbcChecks(ledger, requests);
	}

	@Bean
	@Fallback
	Reconciliations eventingReconciliations(DeclaredChecks checks, CheckLedger ledger, EventingDatabase database,
			ObjectProvider<ReconciliationOptions> options, EventJsonMapper json, EventVersions versions) {
		return new ReconciliationRunner(checks, ledger, database.dataSource(), database.schema(),
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
			Leases leases, EventingDatabase database, DeclaredOptions options) {
		return options.deadLetterStream().forward()
				? new ForwardingWorker(client, streams, leases, database.bounded(), database.schema()) : null;
	}

	@Bean
	@Fallback
	Leases eventingLeases(EventingDatabase database, ObjectProvider<LeaseOptions> options) {
		return new Leases(database.dataSource(), database.schema(), options.getIfAvailable(LeaseOptions::defaults),
				List.of(new AppliedEvents(database.schema()).lockedByClaims()));
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

	@Bean
	@Fallback
	RelayServices eventingRelayServices(NatsClient client, Streams streams, EventWriter writer, EventLog log,
			AppendSignal signal, Leases leases, EventingDatabase database) {
		return new RelayServices(client, streams, writer, log, signal, leases, database.bounded(), database.schema());
	}

	/** Created after the schema, because a relay uses its tables when it starts. */
	@Bean
	@Fallback
	Relays eventingRelays(SchemaInitializer initialized, RelayServices services, ObjectProvider<RelayOptions> relays) {
		return new Relays(services, relays.orderedStream().toList());
	}

	@Bean
	ProjectorServices.Database eventingProjectorDatabase(EventingDatabase database,
			PlatformTransactionManager transactionManager, ObjectProvider<TenantTransactionListener> tenants,
			ListableBeanFactory beans) {
		return new ProjectorServices.Database(database.bounded(), transactionManager, database.schema(),
				database.options(),
				new ProjectorServices.Tenants(tenants.orderedStream().toList(), new TenantResolvers(beans)),
				new CachedEntities(beans));
	}

	@Bean
	ProjectorServices.Tables eventingProjectorTables(ProcessedEvents processedEvents, DeadLetterLedger deadLetters,
			Leases leases, Reconciliations reconciliations) {
		return new ProjectorServices.Tables(processedEvents, deadLetters, leases, reconciliations);
	}

	@Bean
	@Fallback
	ProjectorServices eventingProjectorServices(NatsClient client, Streams streams, EventReader reader,
			ProjectorServices.Database database, ProjectorServices.Tables tables, EventStoreAccess store,
			DeclaredOptions options) {
		return new ProjectorServices(client, streams, reader, database, tables, options.deadLetterStream(), store,
				options.clock());
	}

}
