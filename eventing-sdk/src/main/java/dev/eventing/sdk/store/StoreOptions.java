package dev.eventing.sdk.store;

import dev.eventing.sdk.event.EventBuilder;

/**
 * How events are appended.
 *
 * @param source the source of all events, such as the application's name
 * @param notifies whether each transaction that appends tells other processes with
 * {@code NOTIFY}, on the channel that has the name of the schema. It takes a lock of the
 * whole database at commit.
 */
public record StoreOptions(String source, boolean notifies) {

	/** The source of events that name none, and no {@code NOTIFY}. */
	public static StoreOptions defaults() {
		return new StoreOptions(EventBuilder.DEFAULT_SOURCE, false);
	}

}
