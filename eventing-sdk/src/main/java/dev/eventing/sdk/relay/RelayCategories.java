package dev.eventing.sdk.relay;

import java.util.Set;

/**
 * Watches the categories that a relay publishes: whether they have events, and whether
 * the relay has passed over events of them. For the relay's thread.
 */
final class RelayCategories {

	private final JdbcRelayCategories table;

	private final UnmetCategories unmet;

	private final PassedOver passedOver;

	/**
	 * Does not access the database.
	 * @param declared the categories of all relays of the application
	 */
	RelayCategories(RelayOptions options, Set<String> declared, JdbcRelayCategories table) {
		this.table = table;
		this.unmet = new UnmetCategories(options, declared);
		this.passedOver = new PassedOver(options, table);
	}

	/**
	 * A run begins.
	 * @param read the position up to which the relay has read
	 */
	void begin(RelayCheckpoint checkpoint, long read) {
		this.passedOver.begin(checkpoint, read);
		this.unmet.look(this.table);
	}

	/** The relay has read an event of the stream. */
	void saw(String streamId) {
		this.unmet.saw(streamId);
	}

	/** The text for operators; empty if there is nothing to change. */
	String detail() {
		return (this.passedOver.detail() + " " + this.unmet.detail()).strip();
	}

	/** Another node may publish. */
	void forget() {
		this.unmet.forget();
	}

}
