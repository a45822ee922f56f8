package dev.eventing.sdk.projector.suspect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.failure.RefusedTexts;
import dev.eventing.sdk.projector.transaction.Claims;
import dev.eventing.sdk.projector.transaction.EventTables;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;

/**
 * Finds the events that a process may have died from, without holding up the others. All
 * suspects are looked up at once. Those that were applied are duplicates. The others run
 * in small groups, and each group is marked before it runs. If the process dies again,
 * the marks show the few events that it may have died from. Only these run alone, one at
 * a time, and their attempts are counted before they run. Thread-safe.
 */
public final class Suspects {

	private final RefusedTexts texts;

	private final FencedTransactions transactions;

	private final Claims claims;

	private final JdbcAttempts attempts;

	public Suspects(EventTables tables, FencedTransactions transactions) {
		this.texts = tables.texts();
		this.transactions = transactions;
		this.claims = tables.claims();
		this.attempts = tables.attempts();
	}

	/**
	 * Looks events up and divides them into parts. Waits for other transactions that have
	 * claimed one of them.
	 * @param works events in order
	 * @return first the events that need no handler, then groups and single events in
	 * order
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws OwnStatementException if they cannot be looked up
	 */
	public List<List<Work>> sift(List<Work> works) {
		Map<EventKey, RoutedEvent> keys = byKey(works);
		Found found = look(keys);
		List<Work> harmless = new ArrayList<>();
		List<List<Work>> parts = new ArrayList<>();
		List<Work> group = new ArrayList<>();
		for (Work work : works) {
			judge(work, found);
			boolean alone = Rung.of(work.suspicion()) == Rung.ALONE;
			if (work.suspicion() == Suspicion.NONE) {
				harmless.add(work);
				continue;
			}
			if (alone || group.size() == Rung.GROUP.most()) {
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
		EventKey key = work.routed().eventKey();
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
	 * Whether the event is not applied and has no open letter. Waits for other
	 * transactions that have claimed it.
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws OwnStatementException if it cannot be looked up
	 */
	public boolean isFree(Work work) {
		return !look(byKey(List.of(work))).free().isEmpty();
	}

	/**
	 * Only a claim can find out what another transaction is about to commit. It is rolled
	 * back at once.
	 */
	private Found look(Map<EventKey, RoutedEvent> keys) {
		return own(() -> this.transactions
			.look(() -> new Found(this.claims.claim(keys.keySet()), this.attempts.begun(keys.keySet()))));
	}

	/**
	 * Marks events that will run together, in a separate transaction. The next process
	 * finds the marks.
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws OwnStatementException if they cannot be marked
	 */
	public void mark(List<Work> group) {
		own(() -> this.texts.write((texts) -> {
			this.transactions.note(() -> this.attempts.mark(byKey(group), texts));
			return true;
		}));
		group.forEach((work) -> {
			work.markAttempted();
			work.setSuspicion(Suspicion.MARKED);
		});
	}

	private static Map<EventKey, RoutedEvent> byKey(List<Work> works) {
		Map<EventKey, RoutedEvent> keys = new LinkedHashMap<>();
		Work.routed(works).forEach((event) -> keys.putIfAbsent(event.eventKey(), event));
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
	 * What the database contains about events.
	 *
	 * @param free events that are not applied and have no open letter
	 * @param begun events that were marked or attempted; true if that did not end
	 */
	private record Found(Set<EventKey> free, Map<EventKey, Boolean> begun) {
	}

}
