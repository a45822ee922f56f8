package dev.eventing.sdk.projector.lane;

import java.util.List;

import dev.eventing.sdk.projector.delivery.Work;

/**
 * What is recorded of a lane's events in the transaction that is done with them, as its
 * last step. Thread-safe.
 */
public interface EventRecords {

	/** Called at the end of the transaction that applies the events. */
	void applied(List<Work> events);

	/** Called at the end of the transaction that makes a dead letter of the event. */
	void buried(Work event);

}
