package dev.eventing.sdk.projector.rebuild;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.StreamLogs;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.projection.ledger.PastPosition.Found;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sequence of a stream up to which a read model is to be filled that shows what
 * was. The stream has all its messages from the first one on. Thread-safe.
 */
final class PastSequence {

	/** How much the clocks of the servers may differ. */
	private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

	private final StreamLogs logs;

	private final Clock clock;

	/** Sends no request yet. */
	PastSequence(StreamLogs logs, Clock clock) {
		this.logs = logs;
		this.clock = clock;
	}

	/**
	 * Looks where it is now. A later look may find another sequence for a time.
	 * @param last the last sequence of the stream
	 */
	Found find(String stream, long last, Until until) {
		try {
			return (until instanceof Until.Time then) ? at(stream, last, then.time())
					: at(stream, last, ((Until.Position) until).position());
		}
		catch (EventingException ex) {
			return new Found(0, String.valueOf(ex.getMessage()), ex instanceof NatsUnavailableException);
		}
	}

	private static Found at(String stream, long last, long sequence) {
		return (sequence <= last) ? new Found(sequence, null, false)
				: new Found(0, "Sequence " + sequence + " is beyond the end of stream '" + stream + "', which is at "
						+ last + ". The projector reads that stream. Consider a sequence up to there.", false);
	}

	private Found at(String stream, long last, Instant time) {
		Instant now = this.clock.instant();
		if (time.isAfter(now)) {
			return new Found(0, time + " is in the future: the clock of this node is at " + now + ".", false);
		}
		Long found = lastUntil(stream, last, time);
		if (found == null) {
			return new Found(0, "A message of stream '" + stream + "' cannot be read.", true);
		}
		if (found == 0) {
			return new Found(0, "Stream '" + stream + "' had stored no message at " + time + ".", false);
		}
		if (found == last && now.isBefore(time.plus(CLOCKS_DIFFER))) {
			return new Found(0, "Stream '" + stream + "' has no message behind " + time
					+ ", and by its clock that may not be over.", true);
		}
		return new Found(found, null, false);
	}

	/**
	 * Times grow with sequences. So the range is halved again and again: at most 63
	 * requests. Returns 0 if no message is that old, and null if one is missing.
	 */
	private @Nullable Long lastUntil(String stream, long last, Instant time) {
		long low = 0;
		long high = last + 1;
		while (high - low > 1) {
			long middle = low + (high - low) / 2;
			Instant stored = this.logs.storedAt(stream, middle);
			if (stored == null) {
				return null;
			}
			if (stored.isAfter(time)) {
				high = middle;
			}
			else {
				low = middle;
			}
		}
		return low;
	}

}
