package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** All lanes of a projector, each on a thread of its own. */
final class Lanes implements Consumer<Work> {

	private final List<Lane> lanes = new ArrayList<>();

	private final List<Thread> threads = new ArrayList<>();

	Lanes(String projector, int count, Supplier<Lane> lane, ProjectorThreads on) {
		for (int number = 0; number < count; number++) {
			this.lanes.add(lane.get());
			Thread thread = on.lanes().newThread(this.lanes.get(number));
			thread.setName(projector + "-lane-" + number);
			this.threads.add(thread);
		}
	}

	void start() {
		this.threads.forEach(Thread::start);
	}

	/** The same key goes to the same lane always. */
	@Override
	public void accept(Work work) {
		int hash = (work.key() != null) ? work.key().hashCode() : Long.hashCode(work.place().sequence());
		int spread = hash ^ (hash >>> 16);
		this.lanes.get(Math.floorMod(spread, this.lanes.size())).queue().add(work);
	}

	/** No more is coming: each lane ends once what is ready is done. */
	void close() {
		this.lanes.forEach((lane) -> lane.queue().close());
	}

	void interrupt() {
		this.threads.forEach(Thread::interrupt);
	}

	/** Waits for the lanes to end; returns whether they did in time. */
	boolean join(Duration wait) throws InterruptedException {
		long deadline = System.nanoTime() + wait.toNanos();
		boolean ended = true;
		for (Thread thread : this.threads) {
			long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
			thread.join(Math.max(1, left));
			ended &= !thread.isAlive();
		}
		return ended;
	}

	/** Takes out what no lane has begun, in the order of each. */
	List<Work> drain() {
		List<Work> left = new ArrayList<>();
		this.lanes.forEach((lane) -> left.addAll(lane.queue().drain()));
		return left;
	}

}
