package dev.eventing.sdk.projector;

import java.util.function.Supplier;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventStore;

/**
 * The services that projectors use to read the event store, and to append effects to it.
 *
 * @param log the events of all streams in the order of positions
 * @param signal signals new appends
 * @param subjects determines the subject of a stored event
 * @param writer converts an event to its form on the wire
 * @param appends the event store, asked only by projectors with {@link Effects}: its
 * listeners need this record before it exists
 */
public record EventStoreAccess(EventLog log, AppendSignal signal, EventSubjects subjects, EventWriter writer,
		Supplier<EventStore> appends) {
}
