package dev.eventing.benchmark.harness;

import java.time.Duration;

import dev.eventing.benchmark.client.LiveFrames;
import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.measure.Latencies;

/**
 * When events were appended, and when the client that follows their account had them. One
 * thread notes the appends, one the frames.
 */
final class Arrivals implements LiveFrames {

	/** Where the events of each account begin in the arrays of times. */
	private final int[] first;

	/** The number of the change of each account that comes next. */
	private final int[] next;

	private final long[] appended;

	private final long[] seen;

	Arrivals(AccountChanges changes) {
		long[] last = lastChanges(changes);
		this.first = new int[last.length];
		for (int account = 1; account < last.length; account++) {
			this.first[account] = this.first[account - 1] + (int) last[account - 1];
		}
		this.next = new int[last.length];
		this.appended = new long[changes.events()];
		this.seen = new long[changes.events()];
	}

	/** The number of the last change of each account, 0 for none. */
	static long[] lastChanges(AccountChanges changes) {
		long[] last = new long[changes.accounts()];
		for (AccountChange change : changes) {
			last[AccountChanges.number(change.streamId())] = change.version();
		}
		return last;
	}

	/** An event is about to be appended. */
	void append(AccountChange change) {
		this.appended[this.first[AccountChanges.number(change.streamId())] + (int) change.version() - 1] = System
			.nanoTime();
	}

	/** A frame stands for all changes before, too. */
	@Override
	public void frame(int account, long change) {
		long now = System.nanoTime();
		while (this.next[account] < change) {
			this.seen[this.first[account] + this.next[account]] = now;
			this.next[account]++;
		}
	}

	/**
	 * From before each append to its frame. Both threads are done.
	 * @param late for how long the machine stood still meanwhile
	 */
	Latencies latencies(Duration late) {
		long[] nanos = new long[this.seen.length];
		for (int event = 0; event < nanos.length; event++) {
			nanos[event] = this.seen[event] - this.appended[event];
		}
		return Latencies.ofNanos(nanos, late);
	}

}
