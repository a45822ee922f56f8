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
 * @param dataSource where the SDK's tables and the read models are
 * @param transactionManager the manager of that DataSource's transactions
 * @param schema where the SDK's tables are
 * @param processedEvents what each projector has applied
 * @param deadLetters where given-up events go
 * @param deadLetterStream what else happens to them
 * @param store what projectors that read the event store share
 * @param leases which node owns which projector
 * @param clock what retries are timed by
 * @param jdbc how long statements may be unanswered
 */
public record ProjectorServices(NatsClient nats, Streams streams, EventReader reader, DataSource dataSource,
		PlatformTransactionManager transactionManager, EventingSchema schema, ProcessedEvents processedEvents,
		DeadLetterLedger deadLetters, DeadLetterStreamOptions deadLetterStream, EventStoreAccess store, Leases leases,
		Clock clock, JdbcOptions jdbc) {
}
