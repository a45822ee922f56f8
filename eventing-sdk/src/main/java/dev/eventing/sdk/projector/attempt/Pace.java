package dev.eventing.sdk.projector.attempt;

import java.util.List;

import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.HandlerTransaction.HandlerFailedException;

/**
 * How many events a lane gives to one transaction while some fail. All that a transaction
 * claimed and rolled back is left to vacuum; with a thousand failing events in a row, and
 * a thousand of them claimed before each failure, that would be half a million rows. So
 * after a failure a lane begins with as few as went well before it, and doubles with each
 * success. For one thread.
 */
final class Pace {

	private final int most;

	private int size;

	Pace(int most) {
		this.most = most;
		this.size = most;
	}

	/** How many at most come next. */
	int size() {
		return this.size;
	}

	void succeeded(int events) {
		this.size = Math.min(this.most, Math.max(this.size, 2 * events));
	}

	/** Several failed, at one of them or as a whole. */
	void failed(List<Work> part, Throwable failure) {
		Work culprit = (failure instanceof HandlerFailedException handler) ? handler.culprit() : null;
		int well = (culprit != null) ? part.indexOf(culprit) : part.size() / 2;
		this.size = Math.max(1, well);
	}

}
