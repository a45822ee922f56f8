package dev.eventing.sdk.projector.feed;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.delivery.WorkReceiver;

/**
 * Hands events over to lanes. They are recorded as handed out by then, so an error on the
 * way must lose none. For the thread of the intake.
 */
public final class Handover {

	private final InFlight inFlight;

	private final WorkReceiver lanes;

	private final Deque<Work> leaving = new ArrayDeque<>();

	private PreviousOwnerState previousOwner = PreviousOwnerState.NONE;

	public Handover(InFlight inFlight, WorkReceiver lanes) {
		this.inFlight = inFlight;
		this.lanes = lanes;
	}

	/** Marks events by what the previous owner left, from now on. */
	public void follow(PreviousOwnerState left) {
		this.previousOwner = left;
	}

	/** Adds events that are to reach their lanes. */
	public void add(Collection<Work> works) {
		this.leaving.addAll(works);
	}

	/** Hands over what has not reached its lane. */
	public void run() {
		while (!this.leaving.isEmpty()) {
			Work work = this.leaving.element();
			this.previousOwner.mark(work);
			this.inFlight.add(work);
			this.lanes.accept(work);
			this.leaving.remove();
		}
	}

	/** Whether nothing is on its way, and nothing in flight. */
	public boolean isAtRest() {
		return this.inFlight.size() == 0 && this.leaving.isEmpty();
	}

}
