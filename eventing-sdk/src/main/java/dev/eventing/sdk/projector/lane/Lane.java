package dev.eventing.sdk.projector.lane;

import java.util.List;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.attempt.BatchRun;
import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker that owns some keys: takes batches off its queue and runs each to its end,
 * before it takes the next. Settles events only after their transaction ended.
 */
public final class Lane implements SupervisedWorker.Work {

	private static final Logger logger = LoggerFactory.getLogger(Lane.class);

	private final String projector;

	private final int batchSize;

	private final LaneQueue queue;

	private final LaneAttempt attempt;

	private final BatchRun batches;

	/** Says that it goes on. */
	private Runnable beat = () -> {
	};

	public Lane(ProjectorEndpoint endpoint, InFlight inFlight, LaneParts parts) {
		this.projector = endpoint.name();
		this.batchSize = endpoint.options().flow().batchSize();
		this.queue = new LaneQueue(inFlight);
		this.attempt = parts.attempt();
		Settlement settlement = new Settlement(endpoint.options().order().ordering(), this.queue, inFlight,
				parts.counters());
		this.batches = new BatchRun(this.batchSize, new LaneSteps(endpoint, this.queue, settlement, parts));
	}

	/** Is called, on the lane's thread, before each batch. */
	void onBeat(Runnable listener) {
		this.beat = listener;
	}

	LaneQueue queue() {
		return this.queue;
	}

	/** What it has been at since when. For any thread. */
	CurrentRun currentRun() {
		return this.attempt.currentRun();
	}

	/**
	 * Works until the queue is closed. What ends it leaves nothing behind: a batch that
	 * did not come to its end is put back, in its place.
	 */
	@Override
	public void run() throws InterruptedException {
		try {
			List<Work> batch = this.queue.take(this.batchSize);
			while (!batch.isEmpty()) {
				runOrPutBack(batch);
				batch = this.queue.take(this.batchSize);
			}
		}
		catch (OwnershipLostException ex) {
			logger.debug("Lane of projector '{}' stops.", this.projector, ex);
		}
	}

	private void runOrPutBack(List<Work> batch) throws InterruptedException {
		boolean ended = false;
		try {
			this.beat.run();
			this.batches.run(batch, () -> false);
			ended = true;
		}
		finally {
			currentRun().end();
			if (!ended) {
				this.queue.putBack(batch);
			}
		}
	}

	/**
	 * The attempt that is under way, if it was counted ahead, is none: the projector
	 * stops while its handler runs. For any thread.
	 */
	void takeBackAttempt() {
		this.attempt.takeBack();
	}

}
