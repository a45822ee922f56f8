package dev.eventing.sdk.projector;

import java.util.List;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ProjectorId;

/**
 * Learns which events a projector has applied, after the commit of each transaction that
 * applied some: those of lanes, of redrives, of rebuilds, and those that append. Not that
 * of the rebuild of a part. It is for extensions of the SDK that pass changes of a read
 * model on, such as pushes to browsers.
 *
 * <p>
 * Called on the thread of the lane or the redrive, outside a transaction, before the
 * events are acked. The thread takes its next events when the call has returned, so calls
 * about one key come in the order of its events, and a slow call slows the lane down. A
 * redrive has a thread of its own: its call may come before or after one of the lane that
 * committed later. Implementations are thread-safe.
 *
 * <p>
 * For events that an inline projector has applied in an append, it is called on the
 * thread of the append, once for all of its transaction, right after the commit. The
 * resources of that transaction may still be bound to the thread then, so a listener that
 * uses the database begins a new transaction.
 *
 * <p>
 * An event is reported once at most, and never before its commit: not for a duplicate, a
 * dead letter, a try that was rolled back, or events whose part of a batch failed. It may
 * never be reported: if the process dies after the commit, or if the answer to the commit
 * was lost. So whatever depends on the call needs another way to find the state, such as
 * reading the read model.
 *
 * <p>
 * What it throws is logged and changes nothing: the events stay applied, and are not
 * reported again.
 */
@FunctionalInterface
public interface CommitListener {

	/** Does nothing. */
	CommitListener NONE = (projector, events) -> {
	};

	/**
	 * Called after a commit.
	 * @param projector which generation of the projector applied the events
	 * @param events the events that the transaction applied, one or more, in the order of
	 * the stream; each payload has the Java type that its handler got
	 */
	void committed(ProjectorId projector, List<Event<?>> events);

}
