package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;

import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.OptimisticLockingFailureException;

/**
 * The place of a projector in its stream as it is saved, compared each time with what
 * this node found or saved there before. A database that says less was set back, by a
 * failover or a restored backup, and so has lost effects of events that the durable has
 * seen the end of. For one thread at a time.
 *
 * <p>
 * Nodes that compete save the place of one durable, each now and then. A place is saved
 * only where the one is still stored that this node looked at before. If not, another
 * node has just saved where it saw the durable: that stands, and this node takes it for
 * what is known at its next look. A beginning does not give way like that: it is worked
 * out anew. If one node begins further back than the others stand, because it has new
 * handlers, these read on from there too, as they would if the database were set back;
 * claims make that harmless.
 */
public final class SavedPlace {

	private final String projector;

	private final JdbcPositions positions;

	private final FencedTransactions transactions;

	private final PrimaryHistory history;

	private @Nullable Saved known;

	public SavedPlace(String projector, JdbcPositions positions, PrimaryHistory history,
			FencedTransactions transactions) {
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
	public @Nullable Saved look(String stream) {
		Saved before = this.known;
		JdbcPositions.Look look = this.positions.look(stream);
		Saved stored = look.saved();
		boolean another = this.history.isAnother(look.serverStarted());
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
	public void save(DurableState standing, boolean cleanStop) {
		Saved next = place(standing, standing.floor(), cleanStop);
		boolean moved = this.known == null || !next.isSamePlaceAs(this.known);
		if (moved && this.transactions.note(() -> this.positions.save(standing.stream(), next, this.known))) {
			this.known = next;
		}
	}

	/**
	 * Saves where the projector begins, which may be behind where the durable stands,
	 * together with something else.
	 * @throws OptimisticLockingFailureException if somebody else has saved a place since
	 * this node looked; nothing was changed
	 * @throws OwnershipLostException if another node owns the projector
	 */
	public void begin(DurableState standing, long floor, Runnable together) {
		Saved next = place(standing, floor, false);
		this.transactions.note(() -> {
			if (!this.positions.save(standing.stream(), next, this.known)) {
				throw new OptimisticLockingFailureException("Another node has saved where projector '" + this.projector
						+ "' stands in stream '" + standing.stream() + "'");
			}
			together.run();
		});
		this.known = next;
	}

	private static Saved place(DurableState standing, long floor, boolean cleanStop) {
		return new Saved(floor, standing.streamCreated(), cleanStop, Duration.ZERO);
	}

}
