package dev.eventing.sdk.projector.feed.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.deadletter.ledger.RebuiltLetters.Decision;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.store.UnreadableEventException;
import org.jspecify.annotations.Nullable;

/**
 * The page of events that a {@link StoreFill} reads: what operators have decided about
 * them, and which of them no handler takes. For the thread of the intake.
 */
public final class FilledPage {

	private final RebuiltLetters letters;

	private final FillRecords records;

	private final FencedTransactions transactions;

	private final long upTo;

	private final List<EventKey> unhandled = new ArrayList<>();

	private Map<EventKey, Decision> decisions = Map.of();

	FilledPage(FillRecords records, FencedTransactions transactions, long upTo) {
		this.letters = records.live();
		this.records = records;
		this.transactions = transactions;
		this.upTo = upTo;
	}

	/** Begins a page of the event store. Call it before its events are read. */
	void begin(List<StoredEvent> events) {
		begin(events.stream().map(FilledPage::key).toList());
	}

	/** Begins a page of these events, as {@link #begin(List)}. */
	public void begin(Collection<EventKey> events) {
		this.decisions = this.letters.decisions(events);
	}

	/**
	 * Whether an event is to be read: it lies in the part that is filled, and is not
	 * discarded.
	 * @param heard whether a handler listens to its subject
	 */
	boolean reads(StoredEvent stored, boolean heard) {
		return reads(stored.position(), key(stored), heard);
	}

	/**
	 * As {@link #reads(StoredEvent, boolean)}.
	 * @param event the event; null if its tenant cannot be read
	 */
	public boolean reads(long position, @Nullable EventKey event, boolean heard) {
		if (position > this.upTo || (event != null && this.decisions.get(event) == Decision.DISCARDED)) {
			return false;
		}
		if (!heard && event != null) {
			this.unhandled.add(event);
		}
		return true;
	}

	/**
	 * As {@link #reads(StoredEvent, boolean)}, for a row that cannot be read.
	 * @param known the event, or null if that cannot be read either
	 */
	boolean reads(UnreadableEventException unreadable, @Nullable EventKey known) {
		boolean discarded = known != null && this.letters.decisions(Set.of(known)).get(known) == Decision.DISCARDED;
		return unreadable.position() <= this.upTo && !discarded;
	}

	/** Records that no handler takes an event. */
	void noteUnhandled(EventKey event) {
		this.unhandled.add(event);
	}

	/** The payload that an operator gave to an event, or null. */
	byte @Nullable [] editedPayload(StoredEvent stored) {
		return editedPayload(key(stored));
	}

	/** The payload that an operator gave to an event, or null. */
	public byte @Nullable [] editedPayload(EventKey event) {
		return (this.decisions.get(event) == Decision.EDITED) ? this.letters.editedPayload(event) : null;
	}

	/**
	 * Ends the page: deletes the claims of its events that no handler takes. An earlier
	 * version has applied them, and the read model shows nothing of that any more. So a
	 * later version can handle them again.
	 */
	public void end() {
		if (!this.unhandled.isEmpty()) {
			this.transactions.note(() -> this.records.passedBy().accept(this.unhandled));
		}
		this.unhandled.clear();
	}

	private static EventKey key(StoredEvent stored) {
		return new EventKey(stored.event().tenantId(), stored.event().id());
	}

}
