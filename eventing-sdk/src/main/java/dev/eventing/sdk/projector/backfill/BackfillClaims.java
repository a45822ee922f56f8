package dev.eventing.sdk.projector.backfill;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projection.ledger.BackfillLedger;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.Claims;
import dev.eventing.sdk.projector.transaction.LedgerClaims;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How events are applied once while a backfill runs beside the live feed. A backfill that
 * applies what the projector has not claims its events as the live feed does. One that
 * applies all cannot tell by claims: it records each event as settled by itself, in the
 * same transaction. Thread-safe.
 */
public final class BackfillClaims implements Claims {

	private final Backfill backfill;

	private final LedgerClaims live;

	private final BackfillLedger ledger;

	private final RebuiltLetters letters;

	private BackfillClaims(Backfill backfill, LedgerClaims live, BackfillLedger ledger, RebuiltLetters letters) {
		this.backfill = backfill;
		this.live = live;
		this.ledger = ledger;
		this.letters = letters;
	}

	/** Sends no query yet. Null without a backfill. */
	public static @Nullable BackfillClaims of(@Nullable Backfill backfill, ProjectorId projector,
			ProjectorServices services, JdbcTemplate jdbc) {
		return (backfill != null) ? new BackfillClaims(backfill,
				new LedgerClaims(projector, services.processedEvents()), new BackfillLedger(jdbc, services.schema()),
				new RebuiltLetters(jdbc, services.schema(), projector)) : null;
	}

	@Override
	public List<RoutedEvent> unsettled(List<RoutedEvent> events) {
		return events;
	}

	@Override
	public Set<EventKey> claim(Map<EventKey, @Nullable Integer> events) {
		Map<EventKey, Long> own = own(events.keySet());
		if (own.isEmpty()) {
			return this.live.claim(events);
		}
		Map<EventKey, @Nullable Integer> others = new HashMap<>(events);
		others.keySet().removeAll(own.keySet());
		Set<EventKey> claimed = new HashSet<>(others.isEmpty() ? Set.of() : this.live.claim(others));
		Set<Long> settledNow = this.ledger.settle(request(), own.values());
		// The redrive of an open letter runs the handler.
		Set<EventKey> open = this.letters.open(own.keySet());
		own.forEach((key, position) -> {
			if (settledNow.contains(position) && !open.contains(key)) {
				claimed.add(key);
			}
		});
		return claimed;
	}

	@Override
	public Set<EventKey> differing(Map<EventKey, @Nullable Integer> digests) {
		Map<EventKey, @Nullable Integer> others = new HashMap<>(digests);
		others.keySet().removeAll(own(digests.keySet()).keySet());
		return others.isEmpty() ? Set.of() : this.live.differing(others);
	}

	@Override
	public void unclaim(Collection<EventKey> events) {
		Map<EventKey, Long> own = own(events);
		if (!own.isEmpty()) {
			this.ledger.unsettle(request(), own.values());
		}
		this.live.unclaim(events.stream().filter((event) -> !own.containsKey(event)).toList());
	}

	/**
	 * An event that becomes a letter loses its claim, so that a redrive runs its handler.
	 */
	@Override
	public void giveUp(Collection<EventKey> events) {
		Map<EventKey, Long> own = own(events);
		if (!own.isEmpty()) {
			this.live.unclaim(own.keySet());
			this.ledger.settle(request(), own.values());
		}
	}

	/**
	 * Claims events that were applied, in the transaction that applies them: the live
	 * feed had not claimed all of them.
	 */
	public void applied(List<Work> events) {
		Set<EventKey> own = own(events.stream().map((work) -> work.routed().eventKey()).toList()).keySet();
		if (!own.isEmpty()) {
			this.live.claim(own);
		}
	}

	/** Those that the backfill applies whether they are claimed or not. */
	private Map<EventKey, Long> own(Collection<EventKey> events) {
		return this.backfill.row().appliesAll() ? this.backfill.positions(Set.copyOf(events)) : Map.of();
	}

	private long request() {
		return this.backfill.row().request();
	}

}
