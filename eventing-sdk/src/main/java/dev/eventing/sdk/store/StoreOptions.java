package dev.eventing.sdk.store;

import dev.eventing.sdk.event.EventBuilder;
import dev.eventing.sdk.event.EventSubjects;

/**
 * How events are appended, and to which NATS subjects they are published.
 *
 * @param source the source of all events, such as the application's name
 * @param subjects makes the subject of a stored event
 * @param notifies whether each transaction that appends notifies other processes with
 * {@code NOTIFY}, on the channel that has the name of the schema. This takes a lock on
 * the whole database cluster at commit.
 */
public record StoreOptions(String source, EventSubjects subjects, boolean notifies) {

	/**
	 * The default source and subjects, and no {@code NOTIFY}.
	 */
	public static StoreOptions defaults() {
		return new StoreOptions(EventBuilder.DEFAULT_SOURCE, EventSubjects.DEFAULT, false);
	}

}
