package dev.eventing.sdk.projector.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.CommitListener;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.failure.Interrupts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Passes the events that were applied to the projector's listener. Thread-safe. */
public final class AfterCommit {

	private static final Logger logger = LoggerFactory.getLogger(AfterCommit.class);

	private final ProjectorId projector;

	private final CommitListener listener;

	private final Interrupts interrupts;

	private final AtomicBoolean failing = new AtomicBoolean();

	/**
	 * For the transactions of one projector.
	 * @param interrupts clears interrupt flags that the listener leaves
	 */
	public AfterCommit(ProjectorId projector, CommitListener listener, Interrupts interrupts) {
		this.projector = projector;
		this.listener = listener;
		this.interrupts = interrupts;
	}

	/** Call it after the commit. Does not throw. */
	public void committed(List<RoutedEvent> applied) {
		if (this.listener == CommitListener.NONE || applied.isEmpty()) {
			return;
		}
		try {
			List<Event<?>> events = new ArrayList<>(applied.size());
			applied.forEach((each) -> events.add(each.bound()));
			this.listener.committed(this.projector, events);
			this.failing.set(false);
		}
		catch (Throwable ex) {
			report(applied, ex);
		}
		finally {
			this.interrupts.clear();
		}
	}

	/** The first failure of a row is an ERROR. Further ones are DEBUG. */
	private void report(List<RoutedEvent> applied, Throwable failure) {
		logger.atLevel(this.failing.getAndSet(true) ? Level.DEBUG : Level.ERROR)
			.setCause(failure)
			.log("Listener {} of projector '{}' failed after the commit of {} events, beginning with {}. They stay"
					+ " applied, and are not reported again.", this.listener.getClass().getName(), this.projector,
					applied.size(), applied.get(0));
	}

}
