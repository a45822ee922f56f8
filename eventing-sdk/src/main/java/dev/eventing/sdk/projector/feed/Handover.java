package dev.eventing.sdk.projector.feed;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import org.jspecify.annotations.Nullable;

/**
 * Hands events over to lanes. They are recorded as handed out by then, so an error on the
 * way must lose none. For the thread of the intake.
 */
public final class Handover {

	private final InFlight inFlight;

	private final WorkReceiver lanes;

	private final Deque<Work> leaving = new ArrayDeque<>();

	private PreviousOwnerState previousOwner = PreviousOwnerState.NONE;

	/** The first event that this node's code cannot read; null if none was met. */
	private @Nullable Work newer;

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

	/**
	 * Whether newer code has written an event. It and the later ones must not be added.
	 * Call it for each event, in order.
	 */
	public boolean waitsAt(Work work) {
		if (this.newer == null && work.routed().newer() != null) {
			this.newer = work;
		}
		return this.newer != null;
	}

	/** The place up to which reading counts, given the place that was read. */
	public long before(long read) {
		Work met = this.newer;
		return (met != null) ? Math.min(read, met.place().sequence() - 1) : read;
	}

	/**
	 * Hands over what has not reached its lane.
	 * @throws NewerEventException if the event after it needs newer code
	 */
	public void run() {
		while (!this.leaving.isEmpty()) {
			Work work = this.leaving.element();
			this.previousOwner.mark(work);
			this.inFlight.add(work);
			this.lanes.accept(work);
			this.leaving.remove();
		}
		NewerEventException waits = (this.newer != null) ? this.newer.routed().newer() : null;
		if (waits != null) {
			throw waits;
		}
	}

	/** Whether nothing is on its way, and nothing in flight. */
	public boolean isAtRest() {
		return this.inFlight.size() == 0 && this.leaving.isEmpty();
	}

}
