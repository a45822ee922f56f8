package dev.eventing.sdk.projector.feed.store;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.store.StoredEvent;

/**
 * Passes over events that were applied elsewhere without reading their contents, which is
 * most of what a page costs. For one thread.
 */
final class AppliedPages {

	private final LogEnvelopes pages;

	private final LongSupplier settledTo;

	private final AppliedElsewhere elsewhere;

	private final Consumer<StoredEvent> passed;

	/**
	 * Reads nothing yet.
	 * @param settledTo events up to here are read again, and whole
	 * @param passed called with each event before it is passed over
	 */
	AppliedPages(LogEnvelopes pages, LongSupplier settledTo, AppliedElsewhere elsewhere, Consumer<StoredEvent> passed) {
		this.pages = pages;
		this.settledTo = settledTo;
		this.elsewhere = elsewhere;
		this.passed = passed;
	}

	/** Of the event store. The types that no handler takes are recorded. */
	static AppliedPages of(LogPages pages, Coverage coverage, AppliedElsewhere elsewhere) {
		return new AppliedPages(pages, coverage::settledTo, elsewhere, (each) -> {
			String subject = pages.subjectOf(each.event(), each.position());
			if (subject != null) {
				coverage.passed(subject, each.event().type(), each.position());
			}
		});
	}

	/**
	 * Passes over the next events if all of them were applied elsewhere.
	 * @param upTo the last position that is wanted for now
	 * @return false if none was passed over, so that the next ones are to be read whole
	 * @throws RuntimeException if it is not known whether they were applied, or what is
	 * recorded of them cannot be; then none was passed over either
	 */
	boolean passOver(int limit, long upTo) {
		if (!this.elsewhere.isProbable()) {
			return false;
		}
		long before = this.pages.position();
		List<StoredEvent> envelopes = this.pages.envelopes(limit, upTo);
		if (envelopes.isEmpty()) {
			return false;
		}
		boolean done = false;
		try {
			if (areApplied(envelopes)) {
				envelopes.forEach(this.passed);
				done = true;
			}
			return done;
		}
		finally {
			if (!done) {
				this.pages.backTo(before);
			}
		}
	}

	private boolean areApplied(List<StoredEvent> envelopes) {
		return envelopes.get(0).position() > this.settledTo.getAsLong()
				&& this.elsewhere.among(envelopes).size() == envelopes.size();
	}

	/** As {@link AppliedElsewhere#among}. */
	Set<Long> among(List<StoredEvent> page) {
		return this.elsewhere.among(page);
	}

}
