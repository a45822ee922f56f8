package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.eventing.sdk.projector.attempt.ProjectorThreads;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;

/**
 * All lanes of a projector, each on a thread of its own, which it has while there is
 * something to do and for some seconds more.
 */
public final class Lanes implements Consumer<Work> {

	private final List<Lane> lanes = new ArrayList<>();

	private final List<SupervisedWorker> workers = new ArrayList<>();

	public Lanes(String projector, int count, Supplier<Lane> lane, ProjectorThreads on) {
		for (int number = 0; number < count; number++) {
			Lane next = lane.get();
			this.lanes.add(next);
			SupervisedWorker worker = new SupervisedWorker(projector + "-lane-" + number, on.lanes(), next);
			next.onBeat(worker::beat);
			next.queue().onCall(worker::call);
			this.workers.add(worker);
		}
	}

	/** From now on each lane runs what it is given. */
	public void start() {
		this.workers.forEach(SupervisedWorker::startOnCall);
	}

	public List<SupervisedWorker> workers() {
		return this.workers;
	}

	/** The same key goes to the same lane always. */
	@Override
	public void accept(Work work) {
		int hash = (work.key() != null) ? work.key().hashCode() : Long.hashCode(work.place().sequence());
		int spread = hash ^ (hash >>> 16);
		this.lanes.get(Math.floorMod(spread, this.lanes.size())).queue().add(work);
	}

	/** No more is coming: each lane ends once what is ready is done. */
	public void close() {
		this.lanes.forEach((lane) -> lane.queue().close());
		this.workers.forEach(SupervisedWorker::requestStop);
	}

	public void interrupt() {
		this.workers.forEach(SupervisedWorker::interrupt);
	}

	/** What still runs did not fail, though it is not waited for any longer. */
	public void takeBackAttempts() {
		this.lanes.forEach(Lane::takeBackAttempt);
	}

	/** Waits for the lanes to end; returns whether they did in time. */
	public boolean join(Duration wait) throws InterruptedException {
		long deadline = System.nanoTime() + wait.toNanos();
		boolean ended = true;
		for (SupervisedWorker worker : this.workers) {
			ended &= worker.join(Duration.ofNanos(deadline - System.nanoTime()));
		}
		return ended;
	}

	/** Takes out what no lane has begun, in the order of each. */
	public List<Work> drain() {
		List<Work> left = new ArrayList<>();
		this.lanes.forEach((lane) -> left.addAll(lane.queue().drain()));
		return left;
	}

	/** A lane that has been at the same for longer than this, or null. */
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
