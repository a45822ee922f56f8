package dev.eventing.sdk.projector.backfill;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projection.ledger.Backfilling;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.feed.BackfillHold;
import org.jspecify.annotations.Nullable;

/**
 * A backfill while one owner runs it: which of the events in the lanes are its own, and
 * which events the live feed must leave alone meanwhile. Thread-safe.
 */
public final class Backfill implements BackfillHold {

	private final Backfilling row;

	private final List<HandlerMethod> handlers;

	private final BackfillPlace place;

	/** Its events in the lanes, with their positions. */
	private final Map<EventKey, Long> own = new ConcurrentHashMap<>();

	/** Whether it has ended, in whatever way. */
	private volatile boolean over;

	/** Where the live feed waits for it; 0 if it does not. */
	private volatile long heldAt;

	/**
	 * Begins where the last owner left it.
	 * @param handlers the handlers that run
	 */
	Backfill(Backfilling row, List<HandlerMethod> handlers) {
		this.row = row;
		this.handlers = List.copyOf(handlers);
		this.place = new BackfillPlace(row.place());
	}

	Backfilling row() {
		return this.row;
	}

	BackfillPlace place() {
		return this.place;
	}

	@Override
	public boolean holds(long position, String type) {
		boolean held = !this.over && position > this.row.range().heldFrom() && this.row.types().contains(type);
		if (held) {
			this.heldAt = position;
		}
		return held;
	}

	@Override
	public boolean isReading() {
		return !this.over && this.place.read() < this.row.range().upTo();
	}

	@Override
	public Instant keepsAttemptsOf(Instant outstanding) {
		return (!this.over && this.row.begunAt().isBefore(outstanding)) ? this.row.begunAt() : outstanding;
	}

	/** Where the live feed waits for it; 0 if it does not. */
	long heldAt() {
		return this.over ? 0 : this.heldAt;
	}

	/** Whether it has ended, in whatever way. */
	boolean isOver() {
		return this.over;
	}

	/** From now on the live feed takes all events. */
	void end() {
		this.over = true;
	}

	/** Whether an event goes to one of its handlers. */
	boolean takes(Work work) {
		return !work.routed().hasEvent()
				|| (work.routed().handler() != null && this.handlers.contains(work.routed().handler()));
	}

	/** Its events are handed to lanes. */
	void handOut(Collection<Work> works) {
		works.forEach((work) -> {
			EventKey key = work.routed().ledgerKey();
			if (key != null) {
				this.own.put(key, work.place().sequence());
			}
		});
		this.place.handOut(works);
	}

	/** One of its events is settled: the lanes do not hold it any more. */
	void settle(@Nullable EventKey key, long sequence) {
		this.place.settle(sequence);
		if (key != null) {
			this.own.remove(key);
		}
	}

	/** Whether an event in the lanes is its own. */
	public boolean isOwn(Work work) {
		EventKey key = work.routed().ledgerKey();
		return (key != null) ? isOwn(key) : work.place().sequence() <= this.row.range().upTo();
	}

	/** Whether an event in the lanes is its own. */
	public boolean isOwn(EventKey key) {
		return this.own.containsKey(key);
	}

	/** The positions of the backfill's events among the given ones, by their keys. */
	Map<EventKey, Long> positions(Set<EventKey> keys) {
		Map<EventKey, Long> positions = new HashMap<>();
		keys.forEach((key) -> {
			Long position = this.own.get(key);
			if (position != null) {
				positions.put(key, position);
			}
		});
		return positions;
	}

}
