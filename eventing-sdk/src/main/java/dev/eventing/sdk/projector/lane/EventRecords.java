package dev.eventing.sdk.projector.lane;

import java.util.List;

import dev.eventing.sdk.projector.delivery.Work;

/**
 * Records about a lane's events. They are the last step of the transaction that applies
 * the events or makes a dead letter. Thread-safe.
 */
public interface EventRecords {

	/** Called at the end of the transaction that applies the events. */
	void applied(List<Work> events);

	/** Called at the end of the transaction that makes a dead letter of the event. */
	void buried(Work event);

}
