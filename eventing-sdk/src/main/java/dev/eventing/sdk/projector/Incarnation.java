package dev.eventing.sdk.projector;

/**
 * One life of a stream. A stream that was deleted and made anew has the same name and the
 * same sequences, and JetStream takes settlements by these alone: one of an event of the
 * former life would settle another event of the next. Thread-safe.
 */
final class Incarnation {

	private volatile boolean over;

	/** The stream was deleted: nothing of it is settled any more. */
	void end() {
		this.over = true;
	}

	boolean isOver() {
		return this.over;
	}

}
