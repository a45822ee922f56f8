package dev.eventing.sdk.projector;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventLog;

/**
 * What projectors that read the event store share.
 *
 * @param log the events of all streams in the order of positions
 * @param signal tells that something was appended
 * @param subjects gives the subject that a stored event's handlers know it by
 * @param writer makes of an event what would lie on the wire
 */
public record EventStoreAccess(EventLog log, AppendSignal signal, EventSubjects subjects, EventWriter writer) {
}
