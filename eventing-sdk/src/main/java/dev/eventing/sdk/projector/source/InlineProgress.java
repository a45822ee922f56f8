package dev.eventing.sdk.projector.source;

import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projector.ProjectorLag;

/**
 * The progress of an inline projector. While appends run its handlers and have skipped no
 * event, it has all events that are committed. Else its owner reads the event store.
 *
 * @param stored how far the owner is
 * @param ledger what appends do
 */
record InlineProgress(Progress stored, InlineLedger ledger) implements Progress {

	@Override
	public ProjectorLag lag() {
		return this.ledger.hasAll() ? ProjectorLag.NONE : this.stored.lag();
	}

	@Override
	public Wait waitFor(long position) {
		Wait wait = this.stored.waitFor(position);
		return () -> this.ledger.hasAll() || wait.isOver();
	}

}
