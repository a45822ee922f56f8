package dev.eventing.sdk.projector;

import java.util.List;

import dev.eventing.sdk.store.NewEvent;

/**
 * What a handler causes beyond its read model: events that are appended to the event
 * store together with the handler's changes. A handler gets it as a parameter. It is for
 * the thread of the handler, until the handler returns.
 *
 * <p>
 * The events exist once for each event that a projector handles, whatever happens to it:
 * attempts, redrives, builds, switches and roll backs. Their ids are derived from the
 * name of the projector, the event's tenant and id, and the number of the new event in
 * its handling; an id that the event store has is left as it is. The first handling that
 * commits decides which events they are. In a read model that is being filled, events
 * that the live generation has behind it cause nothing.
 *
 * <p>
 * The append runs after the handlers of the transaction, and before its commit. So
 * statements of the handler do not see it. A rollback or a crash leaves nothing. While a
 * generation is filled or fed beside the live one, what only it causes is stored, and
 * appended after the switch that makes it live.
 *
 * @since 0.1.0
 */
public interface Effects {

	/** As {@link #append(String, List)}. */
	default void append(String streamId, NewEvent... events) {
		append(streamId, List.of(events));
	}

	/**
	 * Appends events to a stream of the event's tenant, whatever its version is. Sends
	 * nothing before the handler has returned. Events without a correlation, cause or
	 * actor get those of the handled event.
	 * @param streamId the stream
	 * @param events one or more; their ids are replaced by derived ones
	 * @throws dev.eventing.sdk.event.PayloadWritingException if a payload cannot be
	 * written as JSON that PostgreSQL can store
	 * @throws dev.eventing.sdk.event.InvalidEventException if the stream's id or an
	 * attribute of an event is not valid, or there is no event
	 * @throws IllegalStateException on another thread, or after the handler has returned
	 */
	void append(String streamId, List<NewEvent> events);

}
