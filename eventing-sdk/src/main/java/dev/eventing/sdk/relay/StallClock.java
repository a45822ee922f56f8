package dev.eventing.sdk.relay;

import java.time.Duration;

/**
 * For how long a relay has saved nothing though there was something to save. Time in
 * which it waits for a server that is away does not count. One thread sets it, any reads.
 */
final class StallClock {

	/**
	 * When it last saved or had nothing to do, by {@link System#nanoTime}, plus the time
	 * that it has waited since.
	 */
	private volatile long wentOnAt = System.nanoTime();

	private volatile long stateSince = System.nanoTime();

	private volatile RelayState state = RelayState.STOPPED;

	/** It has saved what it published, or has nothing to do. */
	void goesOn() {
		this.wentOnAt = System.nanoTime();
		this.stateSince = this.wentOnAt;
	}

	/** Does nothing if the state is the same. */
	void is(RelayState next) {
		if (next != this.state) {
			long now = System.nanoTime();
			long before = this.wentOnAt;
			this.wentOnAt = before + (isWaiting() ? now - this.stateSince : 0);
			this.stateSince = now;
			this.state = next;
		}
	}

	private boolean isWaiting() {
		return this.state == RelayState.WAITING_FOR_NATS || this.state == RelayState.WAITING_FOR_DATABASE;
	}

	Duration standsStillFor() {
		return Duration.ofNanos((isWaiting() ? this.stateSince : System.nanoTime()) - this.wentOnAt);
	}

	/**
	 * Whether it publishes and has stood still for longer than this. While it waits for a
	 * server, whether it had when the wait began.
	 */
	boolean isStalled(Duration longest) {
		return (this.state == RelayState.RUNNING || isWaiting()) && standsStillFor().compareTo(longest) > 0;
	}

}
