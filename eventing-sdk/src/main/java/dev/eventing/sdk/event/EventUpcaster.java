package dev.eventing.sdk.event;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Turns payloads of one version of an event type into those of the next. Declare a bean
 * for each version below that of the class, from version 1 on. Upcasters run between
 * reading and binding, in order, wherever an old event is read. The stored event does not
 * change.
 *
 * <p>
 * Called by several threads, and any number of times for one event. An upcaster must
 * depend on the payload only.
 */
public interface EventUpcaster {

	/** The name of the event type, or one of its aliases. */
	String eventType();

	/** The version of the payloads that it takes. It makes those of the next version. */
	int fromVersion();

	/**
	 * Returns the payload in the next version; null if the event means nothing any more.
	 * Then the event is settled as if it had been applied, without a handler, and folds
	 * skip it.
	 * @param payload the payload, which may be changed and returned
	 * @throws RuntimeException if the payload cannot be read: then the event cannot be
	 * bound, and becomes a dead letter
	 */
	@Nullable JsonNode upcast(JsonNode payload);

}
