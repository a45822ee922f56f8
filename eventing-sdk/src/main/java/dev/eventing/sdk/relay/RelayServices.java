package dev.eventing.sdk.relay;

import javax.sql.DataSource;

import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventLog;

/**
 * The services that the relays of an application share.
 *
 * @param client the connection to NATS
 * @param streams the streams the application declares
 * @param writer writes events to the wire
 * @param log the events of the store
 * @param signal signals appended events
 * @param leases decide which node publishes
 * @param dataSource connects to the SDK's tables
 * @param schema the schema of these tables
 */
public record RelayServices(NatsClient client, Streams streams, EventWriter writer, EventLog log, AppendSignal signal,
		Leases leases, DataSource dataSource, EventingSchema schema) {
}
