package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;

/**
 * All lanes of a projector, each on a separate thread. A lane has its thread while it has
 * events, and for some seconds more. Thread-safe.
 */
public final class Lanes implements WorkReceiver {

	private final List<Lane> lanes = new ArrayList<>();

	private final List<SupervisedWorker> workers = new ArrayList<>();

	public Lanes(ProjectorId projector, int count, Supplier<Lane> lane, ThreadFactory threads) {
		for (int number = 0; number < count; number++) {
			Lane next = lane.get();
			this.lanes.add(next);
			SupervisedWorker worker = new SupervisedWorker(projector.thread("lane-" + number), threads, next);
			next.onBeat(worker::beat);
			next.queue().onCall(worker::call);
			this.workers.add(worker);
		}
	}

	/** Starts the lanes. The first event of a lane creates its thread. */
	public void start() {
		this.workers.forEach(SupervisedWorker::startOnCall);
	}

	public List<SupervisedWorker> workers() {
		return this.workers;
	}

	/** Adds the event to the lane of its key, or of its sequence if it has no key. */
	@Override
	public void accept(Work work) {
		this.lanes.get(work.routed().lane(this.lanes.size())).queue().add(work);
	}

	/** Ends each lane once its ready events are done. */
	public void close() {
		this.lanes.forEach((lane) -> lane.queue().close());
		this.workers.forEach(SupervisedWorker::requestStop);
	}

	public void interrupt() {
		this.workers.forEach(SupervisedWorker::interrupt);
	}

	/**
	 * Takes back the attempts that were counted before their handlers ran, because the
	 * handlers have not ended in time.
	 */
	public void takeBackAttempts() {
		this.lanes.forEach(Lane::takeBackAttempt);
	}

	/** Waits for the lanes to end, and returns whether they did in time. */
	public boolean join(Duration wait) throws InterruptedException {
		long deadline = System.nanoTime() + wait.toNanos();
		boolean ended = true;
		for (SupervisedWorker worker : this.workers) {
			ended &= worker.join(Duration.ofNanos(deadline - System.nanoTime()));
		}
		return ended;
	}

	/** Removes and returns the events that no lane has begun, each lane in order. */
	public List<Work> drain() {
		List<Work> left = new ArrayList<>();
		this.lanes.forEach((lane) -> left.addAll(lane.queue().drain()));
		return left;
	}

	/** The first stall of a lane that lasts longer than this, or null. */
	public @Nullable Stall stall(Duration longest) {
		for (int number = 0; number < this.lanes.size(); number++) {
			Stall stall = this.lanes.get(number).currentRun().stall(this.workers.get(number), longest);
			if (stall != null) {
				return stall;
			}
		}
		return null;
	}

}
