package dev.eventing.sdk.projector;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventLog;

/**
 * The services that projectors use to read the event store.
 * 
 * @param log the events of all streams in the order of positions
 * @param signal signals new appends
 * @param subjects determines the subject of a stored event
 * @param writer converts an event to its form on the wire
 */
public record EventStoreAccess(EventLog log, AppendSignal signal, EventSubjects subjects, EventWriter writer) {
}
