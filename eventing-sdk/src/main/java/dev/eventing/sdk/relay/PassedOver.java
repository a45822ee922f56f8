package dev.eventing.sdk.relay;

import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * The events that a relay has passed over, because it had read them when their category
 * was added. Logs them until an operator has acted: once in this process, and again if
 * there are others. For the relay's thread.
 */
final class PassedOver {

	private static final Logger logger = LoggerFactory.getLogger(PassedOver.class);

	private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(5);

	private final RelayOptions options;

	private final JdbcRelayCategories table;

	private PublishedFrom logged = PublishedFrom.NOTHING;

	private String detail = "";

	private long nextLook;

	PassedOver(RelayOptions options, JdbcRelayCategories table) {
		this.options = options;
		this.table = table;
	}

	/**
	 * Saves which categories the relay publishes from now on.
	 * @param read the position up to which the relay has read
	 */
	void begin(RelayCheckpoint checkpoint, long read) {
		PublishedFrom before = this.table.find();
		PublishedFrom next = before.with(this.options.categories(), read);
		PublishedFrom empty = (next.hasGaps() && !next.equals(this.logged) && !hasEventsIn(next)) ? next
				: PublishedFrom.NOTHING;
		if (!next.closed(empty).equals(before)) {
			// An operator may have acted meanwhile.
			checkpoint
				.owned(() -> this.table.save(this.table.find().with(this.options.categories(), read).closed(empty)));
		}
		show(this.table.find());
	}

	/** Also if the search takes too long: a warning too many loses nothing. */
	private boolean hasEventsIn(PublishedFrom gaps) {
		try {
			return this.table.hasEventsIn(gaps);
		}
		catch (DataAccessException ex) {
			logger.debug("Relay '{}': whether events were passed over is not known.", this.options.name(), ex);
			return true;
		}
	}

	private void show(PublishedFrom now) {
		this.nextLook = System.nanoTime() + LOOK_EVERY;
		if (!now.hasGaps()) {
			this.detail = "";
			return;
		}
		String name = this.options.name();
		this.detail = "Up to position " + now.end() + " it has not published " + now.describeGaps()
				+ ". Consider publishPassedOver(\"" + name + "\") or acceptPassedOver(\"" + name
				+ "\") of the bean Relays.";
		if (!now.equals(this.logged)) {
			this.logged = now;
			logger.warn("Relay '{}' had read the event store up to position {} when {} were added. The events of these"
					+ " up to there are not published. Consider publishPassedOver(\"{}\") of the bean Relays, or"
					+ " acceptPassedOver(\"{}\") if nothing needs these events.", name, now.end(), now.describeGaps(),
					name, name);
		}
	}

	/**
	 * The text for operators; empty if no event was passed over. Looks every 5 s whether
	 * an operator has acted.
	 */
	String detail() {
		if (!this.detail.isEmpty() && System.nanoTime() - this.nextLook >= 0) {
			show(this.table.find());
		}
		return this.detail;
	}

}
