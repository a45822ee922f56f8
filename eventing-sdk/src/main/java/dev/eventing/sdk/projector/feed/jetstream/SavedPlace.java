package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.OptimisticLockingFailureException;

/**
 * The saved place of a projector in its stream. Each look compares it with what this node
 * found or saved before. If the database has a lower floor, it was set back, by a
 * failover or a restored backup. Then it has lost the effects of events that the durable
 * has settled. For one thread at a time.
 *
 * <p>
 * Nodes that compete for events save the floor of the same durable. A node saves it only
 * if the stored floor is still the one that it knows. Otherwise another node has saved a
 * floor meanwhile. That floor stays, and this node knows it after its next look.
 * {@link #begin} throws instead, and the beginning is computed again. If one node begins
 * earlier than the others, because it has new handlers, the others read again from there
 * too, as if the database were set back. Claims make that harmless.
 */
public final class SavedPlace {

	/** A place that has not moved is saved again after this time. */
	private static final Duration SAVED_ANEW_AFTER = Duration.ofMinutes(10);

	private final ProjectorId projector;

	private final JdbcPositions positions;

	private final FencedTransactions transactions;

	private final PrimaryHistory history;

	private @Nullable Saved known;

	public SavedPlace(ProjectorId projector, JdbcPositions positions, PrimaryHistory history,
			FencedTransactions transactions) {
		this.history = history;
		this.projector = projector;
		this.positions = positions;
		this.transactions = transactions;
	}

	/**
	 * Returns what is saved now, or null. Later looks compare with it.
	 * @throws SetBackException if it is lower than what this node knew, or another server
	 * has taken over
	 */
	public @Nullable Saved look(String stream) {
		Saved before = this.known;
		JdbcPositions.Look look = this.positions.look(stream);
		Saved stored = look.saved();
		boolean another = this.history.isAnother(look.serverStarted());
		this.known = stored;
		if (before != null && stored != null && before.isAheadOf(stored)) {
			throw SetBackException.below(this.projector.toString(),
					"floor " + before.floor() + " of stream '" + stream + "'", "floor " + stored.floor());
		}
		if (another) {
			throw SetBackException.onAnotherServer(this.projector.toString());
		}
		return stored;
	}

	/** What {@link #look} found last or was saved since, or null. */
	@Nullable Saved known() {
		return this.known;
	}

	/**
	 * Saves the floor of the durable, in a separate transaction. Does nothing if it was
	 * saved lately or is lower, or another node has saved a floor since the last look.
	 * Only {@link #begin} lowers it. A floor that has not moved is saved again from time
	 * to time, because {@link LostTail} trusts only events that were stored before the
	 * last save.
	 * @throws OwnershipLostException if another node owns the projector
	 */
	public void save(DurableState standing, boolean cleanStop) {
		Saved next = place(standing, standing.floor(), cleanStop);
		if (isWorthSaving(next)
				&& this.transactions.note(() -> this.positions.save(standing.stream(), next, this.known))) {
			this.known = next;
		}
	}

	private boolean isWorthSaving(Saved next) {
		Saved last = this.known;
		if (last == null || !next.isSamePlaceAs(last)) {
			return last == null || !last.isAheadOf(next);
		}
		return last.age().compareTo(SAVED_ANEW_AFTER) > 0;
	}

	/**
	 * Saves where the projector begins, which may be lower than the durable's floor, in
	 * one transaction with another action.
	 * @throws OptimisticLockingFailureException if another node has saved a floor since
	 * the last look; nothing was changed
	 * @throws OwnershipLostException if another node owns the projector
	 */
	public void begin(DurableState standing, long floor, Runnable together) {
		Saved next = place(standing, floor, false);
		this.transactions.note(() -> {
			if (!this.positions.save(standing.stream(), next, this.known)) {
				throw new OptimisticLockingFailureException("Another node has saved the floor of projector '"
						+ this.projector + "' in stream '" + standing.stream() + "'");
			}
			together.run();
		});
		this.known = next;
	}

	private static Saved place(DurableState standing, long floor, boolean cleanStop) {
		return new Saved(floor, standing.streamCreated(), cleanStop, Duration.ZERO);
	}

}
