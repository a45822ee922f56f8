package dev.eventing.sdk.projector.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.ContentDigest;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.TenantTransactions.ListenerFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.DataAccessException;
import org.springframework.util.CollectionUtils;

/**
 * The transaction that applies a batch. First it claims all events of the batch. The
 * claim locks out every other delivery of them. Then it runs the handlers of the fresh
 * events in stream order, and executes the writes that they queued. The claims, the
 * handlers' changes and the caller's last step commit together or not at all.
 */
public final class HandlerTransaction {

	private static final Logger logger = LoggerFactory.getLogger(HandlerTransaction.class);

	private final ProjectorId projector;

	private final FencedTransactions transactions;

	private final TenantTransactions tenants;

	private final Claims claims;

	private final HandlerCalls handlers;

	private final ProjectorCounters counters;

	private final AfterCommit afterCommit;

	/**
	 * Creates the transactions for the batches of one projector.
	 * @param transactions the application's transaction manager's
	 * @param tenants called around a transaction of one tenant
	 * @param handlers calls the handlers
	 * @param counters counts duplicates with another content
	 * @param afterCommit called after each commit, with the fresh events
	 */
	public HandlerTransaction(EventTables tables, FencedTransactions transactions, TenantTransactions tenants,
			HandlerCalls handlers, ProjectorCounters counters, AfterCommit afterCommit) {
		this.projector = tables.projector();
		this.transactions = transactions;
		this.tenants = tenants;
		this.claims = tables.claims();
		this.handlers = handlers;
		this.counters = counters;
		this.afterCommit = afterCommit;
	}

	/**
	 * Applies the batch.
	 * @return the number of fresh events; the others are duplicates
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws OwnStatementException if one of the SDK's own statements failed, before a
	 * handler began, because of a time-out, or until somebody changes the database;
	 * nothing was changed
	 * @throws HandlerFailedException if a handler threw; nothing was changed
	 * @throws DataAccessException if a queued write of any of the events failed; nothing
	 * was changed
	 */
	public int apply(List<RoutedEvent> batch, Participant participant) {
		return execute(batch, (handlers) -> {
			int fresh = handlers.apply(batch).size();
			end(participant);
			return fresh;
		}, participant);
	}

	/** If the session had ended before the last step, the handlers took that time. */
	private static void end(Participant participant) {
		try {
			participant.done();
		}
		catch (DataAccessException ex) {
			boolean own = FailureClassifier.isTimeOut(ex) && !FailureClassifier.isSessionTimeOut(ex);
			throw (own || DatabaseFailure.lasting(ex) != null) ? new OwnStatementException(ex) : ex;
		}
	}

	/**
	 * Runs an action in one transaction. The action can apply batches in it, and ends it
	 * itself.
	 * @param events all events that the action may apply
	 * @throws OwnStatementException if one of the SDK's own statements failed, before a
	 * handler began or because of a time-out
	 */
	public <T> T execute(List<RoutedEvent> events, Function<Run, T> action, Participant participant) {
		Run run = new Run(participant);
		try {
			T result = this.tenants.run(events, () -> this.transactions.execute(() -> {
				this.tenants.begun();
				T done = action.apply(run);
				this.transactions.checkBeforeCommit();
				return done;
			}));
			run.differing.forEach(this::report);
			this.afterCommit.committed(run.applied);
			return result;
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (ListenerFailedException ex) {
			throw ex.error();
		}
		catch (RuntimeException ex) {
			throw (run.begun || this.tenants.isRefused(ex)) ? ex : new OwnStatementException(ex);
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

	private List<RoutedEvent> applyWithin(List<RoutedEvent> batch, Run run) {
		List<RoutedEvent> fresh = claim(this.claims.unsettled(batch), run);
		run.begun |= !fresh.isEmpty();
		List<RoutedEvent> kept = kept(fresh);
		this.handlers.run(kept, run.participant::called);
		run.applied = run.applied.isEmpty() ? kept : both(run.applied, kept);
		return fresh;
	}

	/** Without those that are settled without a handler. */
	private static List<RoutedEvent> kept(List<RoutedEvent> fresh) {
		return fresh.stream().noneMatch(RoutedEvent::isDropped) ? fresh
				: fresh.stream().filter((each) -> !each.isDropped()).toList();
	}

	private static List<RoutedEvent> both(List<RoutedEvent> before, List<RoutedEvent> after) {
		List<RoutedEvent> both = new ArrayList<>(before);
		both.addAll(after);
		return both;
	}

	/**
	 * Records events as applied, in the caller's transaction. They were, by another one
	 * that did not.
	 */
	public void claim(List<EventKey> events) {
		this.claims.claim(events);
	}

	/**
	 * Waits for other transactions that have claimed one of the events. Runs in the
	 * caller's transaction, which the caller rolls back.
	 */
	public void awaitClaims(List<RoutedEvent> batch) {
		this.claims.claim(batch.stream().map(RoutedEvent::eventKey).toList());
	}

	private List<RoutedEvent> claim(List<RoutedEvent> batch, Run run) {
		List<RoutedEvent> firsts = new ArrayList<>(batch.size());
		Map<EventKey, @Nullable Integer> digests = CollectionUtils.newLinkedHashMap(batch.size());
		for (RoutedEvent each : batch) {
			EventKey key = each.eventKey();
			Integer digest = each.isEdited() ? null
					: ContentDigest.of(each.event().type(), each.event().payload().bytes());
			if (!digests.containsKey(key)) {
				digests.put(key, digest);
				firsts.add(each);
			}
			else if (digest != null && isAnother(digest, digests.get(key))) {
				run.differing.add(key);
			}
		}
		Set<EventKey> claimed = this.claims.claim(digests);
		if (claimed.size() < digests.size()) {
			firsts.removeIf((each) -> !claimed.contains(each.eventKey()));
			digests.keySet().removeAll(claimed);
			digests.values().removeIf(Objects::isNull);
			run.differing.addAll(this.claims.differing(digests));
		}
		return firsts;
	}

	private static boolean isAnother(Integer digest, @Nullable Integer before) {
		return before != null && !digest.equals(before);
	}

	/** Who applies a batch takes part in the transaction, on its thread. */
	public interface Participant {

		/** Called before each call of a handler, with the first event of the call. */
		void called(RoutedEvent first);

		/**
		 * The last step of a transaction that applies one batch, also if all events are
		 * duplicates.
		 */
		default void done() {
		}

	}

	/** One open transaction. */
	public final class Run {

		private final Participant participant;

		/** Whether a handler was called. */
		private boolean begun;

		/** The fresh events of all batches that handlers got. */
		private List<RoutedEvent> applied = List.of();

		/** Events whose content differs from the applied content. */
		private final List<EventKey> differing = new ArrayList<>();

		private Run(Participant participant) {
			this.participant = participant;
		}

		/**
		 * Applies the batch.
		 * @return the fresh events
		 * @throws HandlerFailedException if a handler threw; the transaction must roll
		 * back
		 * @throws DataAccessException if a queued write failed; the transaction must roll
		 * back
		 */
		public List<RoutedEvent> apply(List<RoutedEvent> batch) {
			return applyWithin(batch, this);
		}

	}

}
