package dev.eventing.sdk.projector.inline;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projection.ledger.InlineRow;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.store.AppliedElsewhere;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import dev.eventing.sdk.store.StoredEvent;

/**
 * Finds the events that appends have applied. Appends of nodes with other handlers did
 * not apply what those do not handle. What they have applied and this code does not
 * handle, it claims: later code that handles it may read it again, and would take it for
 * an event that was skipped. For the thread of the intake.
 */
final class InlineHistory implements AppliedElsewhere {

	private final InlineLedger ledger;

	private final String code;

	private final InlineEvents events;

	private final FencedTransactions transactions;

	private final HandlerTransaction handlers;

	private final LongSupplier settledTo;

	/** Whether appends may ever have applied an event. */
	private boolean exists = true;

	/** Whether appends apply all events, as of the last look. */
	private boolean inline;

	/**
	 * Sends no query yet.
	 * @param handlers claims events
	 * @param settledTo up to here earlier owners have read all events
	 */
	InlineHistory(FeedContext context, InlineLedger ledger, HandlerTransaction handlers, LongSupplier settledTo) {
		this.ledger = ledger;
		this.code = InlineCode.of(context.endpoint(), context.services().store().subjects());
		this.events = new InlineEvents(context.endpoint(), context.services().reader(), context.services().store());
		this.transactions = context.transactions();
		this.handlers = handlers;
		this.settledTo = settledTo;
	}

	/**
	 * What the last look found.
	 * @param known whether the projector has a row
	 * @param inline whether appends apply all events
	 */
	void found(boolean known, boolean inline) {
		this.exists = known;
		this.inline = inline;
	}

	@Override
	public boolean isProbable() {
		return this.inline;
	}

	/**
	 * The row may be newer than the page: it tells the same of events that were committed
	 * before it.
	 */
	@Override
	public Set<Long> among(List<StoredEvent> page) {
		Optional<InlineRow> row = this.exists ? this.ledger.find() : Optional.empty();
		return row
			.map((found) -> among(page, found, (foreign) -> this.transactions.note(() -> this.handlers.claim(foreign))))
			.orElse(Set.of());
	}

	/** As the other method, with the row, in the transaction of the caller. */
	Set<Long> among(List<StoredEvent> page, InlineRow row) {
		return among(page, row, this.handlers::claim);
	}

	private Set<Long> among(List<StoredEvent> page, InlineRow row, Consumer<List<EventKey>> claims) {
		List<StoredEvent> applied = applied(page, row);
		List<EventKey> foreign = foreign(applied, row);
		if (!foreign.isEmpty()) {
			claims.accept(foreign);
		}
		return applied.stream().map(StoredEvent::position).collect(Collectors.toSet());
	}

	private List<StoredEvent> applied(List<StoredEvent> page, InlineRow row) {
		List<StoredEvent> covered = page.stream().filter((each) -> row.covers(each.position())).toList();
		if (covered.isEmpty()) {
			return covered;
		}
		Set<Long> skipped = this.ledger.skipped(page.get(0).position(), page.get(page.size() - 1).position());
		List<StoredEvent> run = covered.stream().filter((each) -> !skipped.contains(each.position())).toList();
		if (row.code().equals(this.code)) {
			return run;
		}
		InlineTypes handled = InlineTypes.parse(row.handled());
		return run.stream().filter((each) -> this.events.isHandledBy(each, handled)).toList();
	}

	/** What this code does not handle. */
	private List<EventKey> foreign(List<StoredEvent> applied, InlineRow row) {
		return row.code().equals(this.code) ? List.of()
				: applied.stream()
					.filter((each) -> each.position() > this.settledTo.getAsLong() && !this.events.isHandled(each))
					.map((each) -> new EventKey(each.event().tenantId(), each.event().id()))
					.toList();
	}

}
