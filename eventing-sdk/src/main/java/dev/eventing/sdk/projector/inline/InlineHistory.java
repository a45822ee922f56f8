package dev.eventing.sdk.projector.inline;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projection.ledger.InlineRow;
import dev.eventing.sdk.projector.feed.store.AppliedElsewhere;
import dev.eventing.sdk.store.StoredEvent;

/** Finds the events that appends have applied. For the thread of the intake. */
final class InlineHistory implements AppliedElsewhere {

	private final InlineLedger ledger;

	/** Whether appends may ever have applied an event. */
	private boolean exists = true;

	InlineHistory(InlineLedger ledger) {
		this.ledger = ledger;
	}

	/** Whether the projector has a row, as of the last look. */
	void exists(boolean known) {
		this.exists = known;
	}

	/**
	 * The row may be newer than the page: it tells the same of events that were committed
	 * before it.
	 */
	@Override
	public Set<Long> among(List<StoredEvent> page) {
		Optional<InlineRow> row = this.exists ? this.ledger.find() : Optional.empty();
		return row.map((found) -> among(page, found)).orElse(Set.of());
	}

	/** As the other method, with the row. */
	Set<Long> among(List<StoredEvent> page, InlineRow row) {
		Set<Long> covered = page.stream().map(StoredEvent::position).filter(row::covers).collect(Collectors.toSet());
		if (!covered.isEmpty()) {
			covered.removeAll(this.ledger.skipped(page.get(0).position(), page.get(page.size() - 1).position()));
		}
		return covered;
	}

}
