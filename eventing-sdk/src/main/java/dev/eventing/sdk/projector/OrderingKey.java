package dev.eventing.sdk.projector;

import dev.eventing.sdk.event.Event;
import org.jspecify.annotations.Nullable;

/** Names the ordering keys of events by code, in place of an expression. Thread-safe. */
@FunctionalInterface
public interface OrderingKey {

	/**
	 * Returns the key of an event within its tenant, whose payload has the handler's
	 * type. What it throws makes the event a dead letter.
	 * @return null if the event has no order
	 */
	@Nullable String keyOf(Event<?> event);

	/**
	 * The key of every event, also of one that cannot be read, if all of a tenant have
	 * the same; else null.
	 */
	default @Nullable String ofAll() {
		return null;
	}

}
