package dev.eventing.sdk.projector.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventContext;
import dev.eventing.sdk.jdbc.AbortedTransactions;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.HandlerResources;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.effect.HandlerEffects;
import dev.eventing.sdk.projector.effect.Handling;
import dev.eventing.sdk.projector.effect.PartEffects;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.write.AdditionTargets;
import dev.eventing.sdk.projector.write.BatchWrites;
import dev.eventing.sdk.projector.write.HandlerWriter;

import org.springframework.dao.DataAccessException;

/**
 * Calls the handlers of events in the current transaction of the thread. Does not look
 * whether the events were applied before. Thread-safe.
 */
public final class HandlerCalls {

	private final AdditionTargets targets;

	private final AbortedTransactions aborted;

	private final Interrupts interrupts;

	private final Handling handling;

	/**
	 * Creates the calls of one projector.
	 * @param targets the tables for additions
	 * @param interrupts clears interrupt flags that handlers leave
	 * @param handling why the handlers are called, and where their effects go
	 */
	public HandlerCalls(AdditionTargets targets, Interrupts interrupts, Handling handling) {
		this.targets = targets;
		this.aborted = AbortedTransactions.of(targets.jdbc());
		this.interrupts = interrupts;
		this.handling = handling;
	}

	/**
	 * Calls the handlers in the order of the events, and executes the writes and effects
	 * that they queue.
	 * @param events each has a handler
	 * @param calls called before each call of a handler, with the first event of the call
	 * @throws HandlerFailedException if a handler threw, or caught an error that aborted
	 * the transaction; the transaction must roll back
	 * @throws OwnStatementException if the handler is the SDK's, as of a live view, and
	 * its tables cannot be used; the transaction must roll back
	 * @throws DataAccessException if a queued write or an effect failed; the transaction
	 * must roll back
	 */
	public void run(List<RoutedEvent> events, Consumer<RoutedEvent> calls) {
		BatchWrites queued = new BatchWrites(this.targets);
		PartEffects effects = new PartEffects(this.handling);
		int from = 0;
		while (from < events.size()) {
			HandlerMethod handler = Objects.requireNonNull(events.get(from).handler());
			int to = from + 1;
			while (handler.batch() && to < events.size() && isOfCall(events.get(from), events.get(to), effects)) {
				to++;
			}
			calls.accept(events.get(from));
			invoke(handler, events.subList(from, to), queued, effects);
			from = to;
		}
		queued.complete();
		effects.complete();
	}

	/** Whether a batch handler takes both events in one call. */
	private static boolean isOfCall(RoutedEvent first, RoutedEvent next, PartEffects effects) {
		return Objects.equals(first.handler(), next.handler()) && effects.mode(first) == effects.mode(next);
	}

	private void invoke(HandlerMethod handler, List<RoutedEvent> taken, BatchWrites writes, PartEffects effects) {
		List<Event<?>> events = new ArrayList<>(taken.size());
		taken.forEach((each) -> events.add(each.bound()));
		// New events are caused by the event of the call. With several events the cause
		// is unknown.
		EventContext.Scope scope = handler.batch() ? EventContext.NONE.open()
				: EventContext.openCausedBy(events.get(0));
		try (HandlerWriter writer = HandlerWriter.of(writes, handler, taken.get(0).key());
				HandlerEffects own = effects.open(handler, taken.get(0))) {
			handler.invocation().invoke(events, new HandlerResources(writer, own, effects.mode(taken.get(0))));
			writes.requireUsable();
			this.aborted.requireUsable();
		}
		catch (Throwable ex) {
			if (ex instanceof DataAccessException own && handler.invocation().isOfTheSdk()
					&& DatabaseFailure.isOfTables(own)) {
				throw new OwnStatementException(own);
			}
			throw new HandlerFailedException(handler, (taken.size() == 1) ? taken.get(0) : null, ex);
		}
		finally {
			scope.close();
			this.interrupts.clear();
		}
	}

}
