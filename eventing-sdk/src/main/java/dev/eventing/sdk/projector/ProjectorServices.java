package dev.eventing.sdk.projector;

import java.time.Clock;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.deadletter.ledger.DeadLetterLedger;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * What all projectors of an application share.
 *
 * @param nats the connection to NATS
 * @param streams the streams of the application
 * @param reader reads events off the wire
 * @param database where the SDK's tables and the read models are
 * @param tables the SDK's tables that other parts use too
 * @param deadLetterStream what happens to dead letters beside the ledger
 * @param store what projectors that read the event store share
 * @param clock what retries are timed by
 */
public record ProjectorServices(NatsClient nats, Streams streams, EventReader reader, Database database, Tables tables,
		DeadLetterStreamOptions deadLetterStream, EventStoreAccess store, Clock clock) {

	/** Where the SDK's tables and the read models are. */
	public DataSource dataSource() {
		return this.database.dataSource();
	}

	/** The manager of that DataSource's transactions. */
	public PlatformTransactionManager transactionManager() {
		return this.database.transactionManager();
	}

	/** Where the SDK's tables are. */
	public EventingSchema schema() {
		return this.database.schema();
	}

	/** How long statements may be unanswered. */
	public JdbcOptions jdbc() {
		return this.database.jdbc();
	}

	/** What each projector has applied. */
	public ProcessedEvents processedEvents() {
		return this.tables.processedEvents();
	}

	/** Where given-up events go. */
	public DeadLetterLedger deadLetters() {
		return this.tables.deadLetters();
	}

	/** Which node owns which projector. */
	public Leases leases() {
		return this.tables.leases();
	}

	/**
	 * The database of the projectors.
	 *
	 * @param dataSource where the SDK's tables and the read models are
	 * @param transactionManager the manager of that DataSource's transactions
	 * @param schema where the SDK's tables are
	 * @param jdbc how long statements may be unanswered
	 */
	public record Database(DataSource dataSource, PlatformTransactionManager transactionManager, EventingSchema schema,
			JdbcOptions jdbc) {
	}

	/**
	 * The SDK's tables that other parts use too.
	 *
	 * @param processedEvents what each projector has applied
	 * @param deadLetters where given-up events go
	 * @param leases which node owns which projector
	 */
	public record Tables(ProcessedEvents processedEvents, DeadLetterLedger deadLetters, Leases leases) {
	}

}
