package dev.eventing.sdk.projector.attempt;

import java.util.List;

import dev.eventing.sdk.projector.delivery.Work;

/**
 * How many events are run in one transaction while some of them fail. The rows that a
 * transaction claimed and rolled back are left to vacuum. A thousand failing events in a
 * row, with up to a thousand rows claimed before each failure, would leave half a million
 * of them. So after a failure the size is the number of events before the one that
 * failed, or half if no single one did. Each success doubles it. For one thread.
 */
final class Pace {

	private final int most;

	private int size;

	Pace(int most) {
		this.most = most;
		this.size = most;
	}

	/** The most events of the next part. */
	int size() {
		return this.size;
	}

	void succeeded(int events) {
		this.size = Math.min(this.most, Math.max(this.size, 2 * events));
	}

	/** A part of several events failed, at one of them or as a whole. */
	void failed(List<Work> part, Throwable failure) {
		int culprit = BatchSplitter.culprit(part, failure);
		this.size = Math.max(1, (culprit >= 0) ? culprit : part.size() / 2);
	}

}
