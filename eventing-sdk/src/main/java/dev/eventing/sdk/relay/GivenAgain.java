package dev.eventing.sdk.relay;

import java.util.Map;

import dev.eventing.sdk.lease.LeaseLostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The streams that a run has found to give sequences again, until the relay has audited
 * them. For the relay's thread.
 */
final class GivenAgain {

	private static final Logger logger = LoggerFactory.getLogger(GivenAgain.class);

	private final String relay;

	private Map<String, Long> sequences = Map.of();

	GivenAgain(String relay) {
		this.relay = relay;
	}

	/** The first sequence that each of these streams has given again. */
	Map<String, Long> sequences() {
		return this.sequences;
	}

	/** This node has audited the streams, or another one has. */
	void audited() {
		this.sequences = Map.of();
	}

	/**
	 * Takes over what a run has found, and saves it for other nodes: this node remembers
	 * it, but may die before it has audited the streams.
	 */
	void foundBy(RelayCheckpoint checkpoint) {
		this.sequences = checkpoint.givenAgain();
		if (this.sequences.isEmpty()) {
			return;
		}
		try {
			checkpoint.noteGivenAgain();
		}
		catch (LeaseLostException | DataAccessException | TransactionException ex) {
			logger.debug("Relay '{}': that streams have lost their ends is not saved.", this.relay, ex);
		}
		logger.warn("Relay '{}': streams have lost their ends, and give sequences again, from {}.", this.relay,
				this.sequences);
	}

}
