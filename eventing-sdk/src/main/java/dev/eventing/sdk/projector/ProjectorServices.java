package dev.eventing.sdk.projector;

import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.deadletter.ledger.DeadLetterLedger;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableGuard;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * The services that all projectors of an application share.
 *
 * @param nats the connection to NATS
 * @param streams the streams of the application
 * @param reader reads events from their form on the wire
 * @param database the database of the SDK's tables and the read models
 * @param tables SDK tables that other parts use too
 * @param deadLetterStream what happens to dead letters outside the ledger
 * @param store access to the event store
 * @param clock the clock for lags and for the age of events
 */
public record ProjectorServices(NatsClient nats, Streams streams, EventReader reader, Database database, Tables tables,
		DeadLetterStreamOptions deadLetterStream, EventStoreAccess store, Clock clock) {

	/** The DataSource of the SDK's tables and the read models. */
	public DataSource dataSource() {
		return this.database.dataSource();
	}

	/** The transaction manager of that DataSource. */
	public PlatformTransactionManager transactionManager() {
		return this.database.transactionManager();
	}

	/** The schema of the SDK's tables. */
	public EventingSchema schema() {
		return this.database.schema();
	}

	/** Checks what no statement on the SDK's tables would fail on. */
	public TableGuard tableGuard() {
		return this.database.tableGuard();
	}

	/** The time limits of statements. */
	public JdbcOptions jdbc() {
		return this.database.jdbc();
	}

	/** Who takes part in transactions that have one tenant. */
	public Tenants tenants() {
		return this.database.tenants();
	}

	/** The table of the events that each projector has applied. */
	public ProcessedEvents processedEvents() {
		return this.tables.processedEvents();
	}

	/** The ledger of dead letters. */
	public DeadLetterLedger deadLetters() {
		return this.tables.deadLetters();
	}

	/** The checks of the application. */
	public Reconciliations reconciliations() {
		return this.tables.reconciliations();
	}

	/** The leases by which nodes own projectors. */
	public Leases leases() {
		return this.tables.leases();
	}

	/**
	 * The database of the projectors.
	 *
	 * @param dataSource the DataSource of the SDK's tables and the read models
	 * @param transactionManager the transaction manager of that DataSource
	 * @param schema the schema of the SDK's tables
	 * @param jdbc the time limits of statements
	 * @param tenants who takes part in transactions that have one tenant
	 * @param tableGuard checks what no statement on the SDK's tables would fail on
	 * @param cachedEntities finds what JPA keeps in a second-level cache; asked when a
	 * generation is to be built
	 */
	public record Database(DataSource dataSource, PlatformTransactionManager transactionManager, EventingSchema schema,
			JdbcOptions jdbc, Tenants tenants, TableGuard tableGuard, Supplier<List<CachedEntity>> cachedEntities) {

		/** With a guard of that DataSource. */
		public Database(DataSource dataSource, PlatformTransactionManager transactionManager, EventingSchema schema,
				JdbcOptions jdbc, Tenants tenants, Supplier<List<CachedEntity>> cachedEntities) {
			this(dataSource, transactionManager, schema, jdbc, tenants, new TableGuard(dataSource, schema),
					cachedEntities);
		}

		/**
		 * Nobody takes part in transactions that have one tenant, and nothing is cached.
		 */
		public Database(DataSource dataSource, PlatformTransactionManager transactionManager, EventingSchema schema,
				JdbcOptions jdbc) {
			this(dataSource, transactionManager, schema, jdbc, Tenants.NONE, List::of);
		}

	}

	/**
	 * Who takes part in transactions that have one tenant.
	 *
	 * @param listeners called around such transactions, in order
	 * @param resolvers finds what resolves the tenant of a session by itself; asked when
	 * a projector starts
	 */
	public record Tenants(List<TenantTransactionListener> listeners, Supplier<List<TenantResolver>> resolvers) {

		/** Nobody. */
		public static final Tenants NONE = new Tenants(List.of(), List::of);

		public Tenants {
			listeners = List.copyOf(listeners);
		}

	}

	/**
	 * Resolves the tenant of a session of another library.
	 *
	 * @param description what asks it, for messages
	 * @param resolve resolves the tenant, and drops it
	 */
	public record TenantResolver(String description, Runnable resolve) {
	}

	/**
	 * Rows that another library keeps in memory beyond a transaction.
	 *
	 * @param description what they are, at the beginning of a sentence
	 * @param tables the tables that hold them
	 * @param cache what keeps them
	 */
	public record CachedEntity(String description, List<String> tables, Cache cache) {

		public CachedEntity {
			tables = List.copyOf(tables);
		}

		/** What keeps rows beyond a transaction. */
		public enum Cache {

			/** The second-level cache of JPA, by identifiers. */
			SECOND_LEVEL,

			/**
			 * Hibernate's cache of the results of queries. Each query decides whether it
			 * uses it, so rows may be there.
			 */
			QUERIES

		}

	}

	/**
	 * SDK tables that other parts use too.
	 *
	 * @param processedEvents the events that each projector has applied
	 * @param deadLetters the ledger of dead letters
	 * @param leases the leases by which nodes own projectors
	 * @param reconciliations the checks of the application, with their results
	 */
	public record Tables(ProcessedEvents processedEvents, DeadLetterLedger deadLetters, Leases leases,
			Reconciliations reconciliations) {
	}

}
