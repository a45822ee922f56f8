package dev.eventing.sdk.projection.reconcile;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;

import dev.eventing.sdk.projection.ledger.ComparisonHold;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Brings two generations that read the event store to one position: holds both there for
 * a short time, which ends by itself if this process dies. Whether they have met is seen
 * in the snapshot of the comparison alone. For one comparison, and one thread.
 */
final class Meeting implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Meeting.class);

	/** How long a hold lasts at most. */
	private static final Duration LONGEST = Duration.ofSeconds(5);

	/** From the beginning of a hold to that of the next one. */
	private static final Duration BETWEEN = LONGEST.multipliedBy(4);

	/** Generations that are further apart may not meet within a hold. */
	private static final long NEAR = 10_000;

	private final ComparisonHold hold;

	private final String projector;

	private int generation;

	/** When the last hold ends; null before the first. */
	private @Nullable OffsetDateTime until;

	/** When the last hold began; null before the first. */
	private @Nullable Long begun;

	/** Whether the database has refused a hold, such as for lack of rights. */
	private boolean refused;

	Meeting(ComparisonHold hold, String projector) {
		this.hold = hold;
		this.projector = projector;
	}

	/**
	 * They were found apart. Asks for a hold, or moves it to where one of them is now.
	 */
	void bring(Apart apart) {
		if (this.refused) {
			return;
		}
		try {
			Long last = this.begun;
			long now = System.nanoTime();
			if (last != null && now - last < BETWEEN.toNanos()) {
				this.hold.raise(this.projector, apart.generation(), apart.furthest());
			}
			else if (apart.furthest() - apart.nearest() <= NEAR) {
				begin(apart, now);
			}
		}
		catch (DataAccessException ex) {
			this.refused = true;
			logger.debug("The generations of projector '{}' cannot be held for a comparison.", this.projector, ex);
		}
	}

	private void begin(Apart apart, long now) {
		Optional<OffsetDateTime> end = this.hold.begin(this.projector, apart.generation(), apart.furthest(), LONGEST);
		if (end.isPresent()) {
			this.generation = apart.generation();
			this.until = end.get();
			this.begun = now;
		}
		else { // of another comparison
			this.hold.raise(this.projector, apart.generation(), apart.furthest());
		}
	}

	/** Lets both go. */
	@Override
	public void close() {
		OffsetDateTime end = this.until;
		if (end == null) {
			return;
		}
		try {
			this.hold.end(this.projector, this.generation, end);
		}
		catch (DataAccessException ex) {
			logger.debug("A hold of projector '{}' for a comparison ends at its time.", this.projector, ex);
		}
	}

	/**
	 * Where two generations are.
	 *
	 * @param generation the one beside the live one
	 * @param nearest the position of the one that is behind
	 * @param furthest the furthest position that one of them has reached
	 */
	record Apart(int generation, long nearest, long furthest) {
	}

}
