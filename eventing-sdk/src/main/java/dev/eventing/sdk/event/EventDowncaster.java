package dev.eventing.sdk.event;

import tools.jackson.databind.JsonNode;

/**
 * Turns payloads of an event type into those of the version before, for
 * {@link WrittenVersions}. Declare a bean for each version from the written one up to the
 * one below that of the class. It runs when an event is written.
 *
 * <p>
 * Called by several threads.
 */
public interface EventDowncaster {

	/** The name of the event type, or one of its aliases. */
	String eventType();

	/** The version of the payloads that it makes. It takes those of the next version. */
	int toVersion();

	/**
	 * Returns the payload in the version before.
	 * @param payload the payload, which may be changed and returned
	 */
	JsonNode downcast(JsonNode payload);

}
