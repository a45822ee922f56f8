package dev.eventing.sdk.store;

import dev.eventing.sdk.event.EventBuilder;
import dev.eventing.sdk.event.EventSubjects;

/**
 * How events are appended, and where they belong on NATS.
 *
 * @param source the source of all events, such as the application's name
 * @param subjects how the subject of a stored event is made
 * @param notifies whether each transaction that appends tells other processes with
 * {@code NOTIFY}, on the channel that has the name of the schema. It takes a lock of the
 * whole database cluster at commit.
 */
public record StoreOptions(String source, EventSubjects subjects, boolean notifies) {

	/**
	 * The source of events that name none, the default subjects, and no {@code NOTIFY}.
	 */
	public static StoreOptions defaults() {
		return new StoreOptions(EventBuilder.DEFAULT_SOURCE, EventSubjects.DEFAULT, false);
	}

}
