package dev.eventing.sdk.projector.attempt;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.EventTables;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;

/**
 * Finds out which of the events that were handed to a process that died may have ended
 * it, without holding up the others. All are looked up at once. Those that were applied
 * are duplicates like any other. Of the rest nobody knows which were begun: they run in
 * small groups, each marked before it runs. Should the process die again, the marks say
 * which few it may have been; only these run alone, one at a time, each attempt counted
 * ahead. Thread-safe.
 */
public final class Suspects {

	/**
	 * So many are marked at once: so many may have to run alone on each lane after the
	 * next death, and so many times fewer transactions are needed now.
	 */
	public static final int GROUP = 32;

	private final String projector;

	private final FencedTransactions transactions;

	private final ProcessedEvents processedEvents;

	private final JdbcAttempts attempts;

	public Suspects(EventTables tables, FencedTransactions transactions) {
		this.projector = tables.projector();
		this.transactions = transactions;
		this.processedEvents = tables.processedEvents();
		this.attempts = tables.attempts();
	}

	/**
	 * Looks events up and cuts them into parts to be run in this order. Waits for another
	 * transaction that has claimed one of them.
	 * @param works events in order
	 * @return first what needs no handler, then groups and single events in order
	 * @throws OwnStatementException if they cannot be looked up
	 */
	public List<List<Work>> sift(List<Work> works) {
		Map<EventKey, Work> keys = byKey(works);
		Found found = look(keys);
		List<Work> harmless = new ArrayList<>();
		List<List<Work>> parts = new ArrayList<>();
		List<Work> group = new ArrayList<>();
		for (Work work : works) {
			judge(work, found);
			boolean alone = work.suspicion() == Suspicion.LIKELY;
			if (work.suspicion() == Suspicion.NONE) {
				harmless.add(work);
				continue;
			}
			if (alone || group.size() == GROUP) {
				parts.add(group);
				group = new ArrayList<>();
			}
			group.add(work);
			if (alone) {
				parts.add(group);
				group = new ArrayList<>();
			}
		}
		parts.add(group);
		parts.add(0, harmless);
		parts.removeIf(List::isEmpty);
		return parts;
	}

	private static void judge(Work work, Found found) {
		EventKey key = work.eventKey();
		Boolean begun = found.begun().get(key);
		if (begun != null) {
			work.markAttempted();
		}
		if (!found.free().contains(key)) {
			work.setSuspicion(Suspicion.NONE);
		}
		else {
			work.setSuspicion(Boolean.TRUE.equals(begun) ? Suspicion.LIKELY : Suspicion.UNMARKED);
		}
	}

	/**
	 * Whether nobody has applied the event. Waits for another transaction that has
	 * claimed it.
	 * @throws OwnStatementException if it cannot be looked up
	 */
	public boolean isFree(Work work) {
		return !look(byKey(List.of(work))).free().isEmpty();
	}

	/**
	 * A claim is the only way to learn what another transaction is about to commit; it is
	 * rolled back at once.
	 */
	private Found look(Map<EventKey, Work> keys) {
		return own(
				() -> this.transactions.look(() -> new Found(this.processedEvents.claim(this.projector, keys.keySet()),
						this.attempts.begun(keys.keySet()))));
	}

	/**
	 * Marks events that are going to run together, so that the next process knows of
	 * them.
	 * @throws OwnStatementException if they cannot be marked
	 */
	public void mark(List<Work> group) {
		own(() -> {
			this.transactions.note(() -> this.attempts.mark(byKey(group)));
			return true;
		});
		group.forEach((work) -> {
			work.markAttempted();
			work.setSuspicion(Suspicion.MARKED);
		});
	}

	private static Map<EventKey, Work> byKey(List<Work> works) {
		Map<EventKey, Work> keys = new LinkedHashMap<>();
		works.forEach((work) -> keys.putIfAbsent(work.eventKey(), work));
		return keys;
	}

	private static <T> T own(Supplier<T> statement) {
		try {
			return statement.get();
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new OwnStatementException(ex);
		}
	}

	/**
	 * What the database knows of events.
	 *
	 * @param free those that nobody has applied, and that have no open letter
	 * @param begun those that have been attempted, and whether that attempt never ended
	 */
	private record Found(Set<EventKey> free, Map<EventKey, Boolean> begun) {
	}

}
