package dev.eventing.sdk.projector.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventContext;
import dev.eventing.sdk.idempotency.ContentDigest;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.write.BatchWrites;
import dev.eventing.sdk.projector.write.HandlerWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.DataAccessException;

/**
 * The transaction that applies a batch. First it claims all events of the batch. The
 * claim locks out every other delivery of them. Then it runs the handlers of the fresh
 * events in stream order, and executes the writes that they queued. The claims, the
 * handlers' changes and the removal of earlier attempts commit together or not at all.
 */
public final class HandlerTransaction {

	private static final Logger logger = LoggerFactory.getLogger(HandlerTransaction.class);

	private final String projector;

	private final FencedTransactions transactions;

	private final ProcessedEvents processedEvents;

	private final JdbcAttempts attempts;

	private final Supplier<BatchWrites> writes;

	private final Consumer<List<Work>> last;

	private final Interrupts interrupts;

	private final ProjectorCounters counters;

	/**
	 * Creates the transactions for the batches of one projector.
	 * @param writes creates the queued writes of a transaction
	 * @param last called with the batch as the last step of its transaction
	 * @param interrupts clears interrupt flags that handlers leave
	 * @param counters counts duplicates with another content
	 */
	public HandlerTransaction(EventTables tables, FencedTransactions transactions, Supplier<BatchWrites> writes,
			Consumer<List<Work>> last, Interrupts interrupts, ProjectorCounters counters) {
		this.projector = tables.projector();
		this.transactions = transactions;
		this.processedEvents = tables.processedEvents();
		this.attempts = tables.attempts();
		this.writes = writes;
		this.last = last;
		this.interrupts = interrupts;
		this.counters = counters;
	}

	/**
	 * Applies the batch.
	 * @param calls called before each call of a handler, with the first event of the call
	 * @return the number of fresh events; the others are duplicates
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws OwnStatementException if one of the SDK's own statements failed, before a
	 * handler began or because of a time-out; nothing was changed
	 * @throws HandlerFailedException if a handler threw; nothing was changed
	 * @throws DataAccessException if a queued write of any of the events failed; nothing
	 * was changed
	 */
	public int apply(List<Work> batch, Consumer<Work> calls) {
		return execute((handlers) -> handlers.apply(batch).size(), calls);
	}

	/**
	 * Runs an action in one transaction. The action can apply batches in it.
	 * @param calls called before each call of a handler, with the first event of the call
	 * @throws OwnStatementException if one of the SDK's own statements failed, before a
	 * handler began or because of a time-out
	 */
	public <T> T execute(Function<Run, T> action, Consumer<Work> calls) {
		Run run = new Run(calls);
		try {
			T result = this.transactions.execute(() -> action.apply(run));
			run.differing.forEach(this::report);
			return result;
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw run.begun ? ex : new OwnStatementException(ex);
		}
	}

	/**
	 * The first one is a WARN, because the publisher may have an error. Further ones are
	 * DEBUG.
	 */
	private void report(EventKey event) {
		logger.atLevel((this.counters.differing.sum() == 0) ? Level.WARN : Level.DEBUG)
			.log("Projector '{}' got event {} of tenant '{}' again with another content. The content that was applied"
					+ " first stays. Consider a publisher that uses a different id for each event.", this.projector,
					event.eventId(), event.tenantId().value());
		this.counters.differing.increment();
	}

	private List<Work> applyWithin(List<Work> batch, Run run) {
		List<Work> fresh = claim(batch, run);
		run.begun |= !fresh.isEmpty();
		BatchWrites queued = this.writes.get();
		invoke(fresh, queued, run.calls);
		queued.complete();
		try {
			forgetAttempts(batch);
			this.last.accept(batch);
		}
		catch (DataAccessException ex) {
			throw FailureClassifier.isTimeOut(ex) ? new OwnStatementException(ex) : ex;
		}
		return fresh;
	}

	/**
	 * Waits for other transactions that have claimed one of the events. Runs in the
	 * caller's transaction, which the caller rolls back.
	 */
	public void awaitClaims(List<Work> batch) {
		this.processedEvents.claim(this.projector, batch.stream().map(Work::eventKey).toList());
	}

	private List<Work> claim(List<Work> batch, Run run) {
		Map<EventKey, Work> firsts = new LinkedHashMap<>();
		Map<EventKey, Integer> digests = new HashMap<>();
		for (Work work : batch) {
			EventKey key = work.eventKey();
			boolean repeated = firsts.putIfAbsent(key, work) != null;
			Integer digest = work.origin().isEdited() ? null
					: ContentDigest.of(work.event().type(), work.event().payload().bytes());
			if (repeated && digest != null && !digest.equals(digests.getOrDefault(key, digest))) {
				run.differing.add(key);
			}
			else if (!repeated && digest != null) {
				digests.put(key, digest);
			}
		}
		Set<EventKey> claimed = this.processedEvents.claim(this.projector, firsts.keySet(), digests);
		if (claimed.size() < firsts.size()) {
			firsts.keySet().retainAll(claimed);
			digests.keySet().removeAll(claimed);
			run.differing.addAll(this.processedEvents.differing(this.projector, digests));
		}
		return new ArrayList<>(firsts.values());
	}

	private void invoke(List<Work> fresh, BatchWrites writes, Consumer<Work> calls) {
		int from = 0;
		while (from < fresh.size()) {
			HandlerMethod handler = Objects.requireNonNull(fresh.get(from).handler());
			int to = from + 1;
			while (handler.batch() && to < fresh.size() && handler.equals(fresh.get(to).handler())) {
				to++;
			}
			calls.accept(fresh.get(from));
			invoke(handler, fresh.subList(from, to), writes);
			from = to;
		}
	}

	private void invoke(HandlerMethod handler, List<Work> works, BatchWrites writes) {
		List<Event<?>> events = new ArrayList<>(works.size());
		works.forEach((work) -> events.add(work.bound()));
		// New events are caused by the event of the call. With several events the cause
		// is unknown.
		EventContext.Scope scope = handler.batch() ? EventContext.NONE.open()
				: EventContext.openCausedBy(events.get(0));
		try (HandlerWriter writer = writes.writer(handler, works.get(0).key())) {
			handler.invocation().invoke(events, writer);
		}
		catch (Throwable ex) {
			throw new HandlerFailedException(handler, works, ex);
		}
		finally {
			scope.close();
			this.interrupts.clear();
		}
	}

	private void forgetAttempts(List<Work> batch) {
		List<EventKey> attempted = batch.stream().filter(Work::isAttempted).map(Work::eventKey).toList();
		if (!attempted.isEmpty()) {
			this.attempts.forget(attempted);
		}
	}

	/** One open transaction. */
	public final class Run {

		private final Consumer<Work> calls;

		/** Whether a handler was called. */
		private boolean begun;

		/** Events whose content differs from the applied content. */
		private final List<EventKey> differing = new ArrayList<>();

		private Run(Consumer<Work> calls) {
			this.calls = calls;
		}

		/**
		 * Applies the batch.
		 * @return the fresh events
		 * @throws HandlerFailedException if a handler threw; the transaction must roll
		 * back
		 * @throws DataAccessException if a queued write failed; the transaction must roll
		 * back
		 */
		public List<Work> apply(List<Work> batch) {
			return applyWithin(batch, this);
		}

	}

	/** A handler threw an exception for one event or several events. */
	public static final class HandlerFailedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final transient List<Work> works;

		HandlerFailedException(HandlerMethod handler, List<Work> works, Throwable cause) {
			super("Handler " + handler.description() + " failed", cause, false, false);
			this.works = works;
		}

		/**
		 * Returns the exception of the handler. For any other failure, returns the
		 * failure itself.
		 */
		public static Throwable errorOf(Throwable failure) {
			return (failure instanceof HandlerFailedException && failure.getCause() != null) ? failure.getCause()
					: failure;
		}

		/** The event of the call, or null if there were several. */
		public @Nullable Work culprit() {
			return (this.works.size() == 1) ? this.works.get(0) : null;
		}

	}

}
