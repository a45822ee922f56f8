package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.projector.backfill.BackfillClaims;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.feed.store.StoreFill;
import dev.eventing.sdk.projector.lane.EventRecords;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the rows of earlier attempts, and moves the position on: that of a lane while a
 * read model is filled, or the checkpoint in the event store. Thread-safe.
 */
final class RunRecords implements EventRecords {

	/**
	 * How often the checkpoint moves in a filling, until a generation beside the live one
	 * has met the end. The positions of the lanes say what is settled. The checkpoint
	 * shows the progress, and where reading begins at the next start.
	 */
	private static final Duration CHECKPOINTS_OF_FILL = Duration.ofSeconds(1);

	private final JdbcAttempts attempts;

	private final @Nullable StoreFill fill;

	private final @Nullable BackfillClaims backfill;

	private final @Nullable Checkpoint checkpoint;

	/** When the checkpoint is to move next, by {@link System#nanoTime}. */
	private final AtomicLong next = new AtomicLong(System.nanoTime());

	/**
	 * Creates the records of one run. The checkpoint of a filling follows its lanes.
	 * @param fill null if the read model is not being filled
	 * @param backfill null if no backfill is under way
	 * @param checkpoint null if the projector reads its durable
	 */
	RunRecords(JdbcAttempts attempts, @Nullable StoreFill fill, @Nullable BackfillClaims backfill,
			@Nullable Checkpoint checkpoint) {
		this.attempts = attempts;
		this.fill = fill;
		this.backfill = backfill;
		this.checkpoint = checkpoint;
		if (fill != null && checkpoint != null) {
			fill.follow(checkpoint);
		}
	}

	@Override
	public void applied(List<Work> events) {
		if (this.fill != null) {
			this.fill.applied(events);
		}
		if (this.backfill != null) {
			this.backfill.applied(events);
		}
		this.attempts.forget(Work.attempted(events));
		if (this.checkpoint != null && (this.fill == null || this.fill.isReady() || isDue())) {
			this.checkpoint.moveWith(events);
		}
	}

	private boolean isDue() {
		long now = System.nanoTime();
		long due = this.next.get();
		return now - due >= 0 && this.next.compareAndSet(due, now + CHECKPOINTS_OF_FILL.toNanos());
	}

	@Override
	public void buried(Work event) {
		if (this.fill != null) {
			this.fill.buried(event);
		}
	}

}
