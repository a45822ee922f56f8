package dev.eventing.sdk.projector.lane;

import java.util.List;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.attempt.BatchRun;
import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker that owns some keys. It takes batches from its queue and runs each to its end
 * before it takes the next. It settles an event only after the transaction of the event
 * has ended.
 */
public final class Lane implements SupervisedWorker.Work {

	private static final Logger logger = LoggerFactory.getLogger(Lane.class);

	private final ProjectorId projector;

	private final int batchSize;

	private final LaneQueue queue;

	private final LaneAttempt attempt;

	private final BatchRun batches;

	/** Reports progress. */
	private Runnable beat = () -> {
	};

	public Lane(ProjectorEndpoint endpoint, InFlight inFlight, LaneParts parts) {
		this.projector = endpoint.id();
		this.batchSize = endpoint.setting(ProjectorSettings::batchSize);
		this.queue = new LaneQueue(inFlight);
		this.attempt = parts.attempt();
		Settlement settlement = new Settlement(endpoint.setting(ProjectorSettings::ordering), this.queue, inFlight,
				parts.counters(), parts.repeated());
		this.batches = new BatchRun(endpoint.options(), new LaneSteps(endpoint, this.queue, settlement, parts));
	}

	/** Sets a listener that is called on the lane's thread before each batch. */
	void onBeat(Runnable listener) {
		this.beat = listener;
	}

	LaneQueue queue() {
		return this.queue;
	}

	/** What the lane runs now. For any thread. */
	CurrentRun currentRun() {
		return this.attempt.currentRun();
	}

	/**
	 * Runs batches until the queue returns none. If a batch does not end, because the
	 * thread is interrupted or something throws, its unsettled events return to the
	 * queue.
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
	 * Takes back the current attempt when the projector stops, if it was counted before
	 * its handler ran. For any thread.
	 */
	void takeBackAttempt() {
		this.attempt.takeBack();
	}

}
