package dev.eventing.sdk.projector;

import java.time.Duration;

import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.projector.JdbcPositions.Saved;
import org.jspecify.annotations.Nullable;

/**
 * The place of a projector in its stream as it is saved, compared each time with what
 * this node found or saved there before. A database that says less was set back, by a
 * failover or a restored backup, and so has lost effects of events that the durable has
 * seen the end of. For one thread at a time.
 */
final class SavedPlace {

	private final String projector;

	private final JdbcPositions positions;

	private final FencedTransactions transactions;

	private final PrimaryHistory history;

	private @Nullable Saved known;

	SavedPlace(String projector, JdbcPositions positions, PrimaryHistory history, FencedTransactions transactions) {
		this.history = history;
		this.projector = projector;
		this.positions = positions;
		this.transactions = transactions;
	}

	/**
	 * What is saved now, or null.
	 * @throws SetBackException if it is behind what this node knew to be saved, or
	 * another server has taken over; what is saved is what it knows from now on
	 */
	@Nullable Saved look(String stream) {
		Saved before = this.known;
		Saved stored = this.positions.find(stream);
		boolean another = this.history.isAnother();
		this.known = stored;
		if (before != null && stored != null && before.isAheadOf(stored)) {
			throw new SetBackException(this.projector, "floor " + before.floor() + " of stream '" + stream + "'",
					"floor " + stored.floor());
		}
		if (another) {
			throw new SetBackException(this.projector);
		}
		return stored;
	}

	/** What {@link #look} found last, or what was saved since. */
	@Nullable Saved known() {
		return this.known;
	}

	/**
	 * Saves where the durable stands, unless that is saved already, or somebody else has
	 * saved a place since this node looked.
	 * @throws OwnershipLostException if another node owns the projector
	 */
	void save(DurableState standing, boolean cleanStop) {
		Saved next = place(standing, standing.floor(), cleanStop);
		if (this.known == null || !next.isSamePlaceAs(this.known)) {
			save(standing.stream(), next, () -> {
			});
		}
	}

	/**
	 * Saves where the projector begins, which may be behind where the durable stands,
	 * together with something else.
	 * @throws OwnershipLostException if another node owns the projector
	 */
	void begin(DurableState standing, long floor, Runnable together) {
		save(standing.stream(), place(standing, floor, false), together);
	}

	private void save(String stream, Saved next, Runnable together) {
		Saved before = this.known;
		this.transactions.run(() -> {
			this.positions.save(stream, next, before);
			together.run();
		});
		this.known = next;
	}

	private static Saved place(DurableState standing, long floor, boolean cleanStop) {
		return new Saved(floor, standing.streamCreated(), cleanStop, Duration.ZERO);
	}

}
