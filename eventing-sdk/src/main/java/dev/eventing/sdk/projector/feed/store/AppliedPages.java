package dev.eventing.sdk.projector.feed.store;

import java.util.List;
import java.util.Set;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.store.StoredEvent;

/**
 * Passes over events that were applied elsewhere without reading their contents, which is
 * most of what a page costs. For one thread.
 */
final class AppliedPages {

	private final ProjectorEndpoint endpoint;

	private final DeliveryDecoder decoder;

	private final LogPages pages;

	private final Coverage coverage;

	private final AppliedElsewhere elsewhere;

	AppliedPages(ProjectorEndpoint endpoint, DeliveryDecoder decoder, LogPages pages, Coverage coverage,
			AppliedElsewhere elsewhere) {
		this.endpoint = endpoint;
		this.decoder = decoder;
		this.pages = pages;
		this.coverage = coverage;
		this.elsewhere = elsewhere;
	}

	/**
	 * Passes over the next events if all of them were applied elsewhere.
	 * @param upTo the last position that is wanted for now
	 * @return false if none was passed over, so that the next ones are to be read whole
	 * @throws dev.eventing.sdk.projector.failure.OwnershipLostException if this node does
	 * not own the projector
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
		if (envelopes.get(0).position() <= this.coverage.settledTo()
				|| this.elsewhere.among(envelopes).size() < envelopes.size()) {
			this.pages.backTo(before);
			return false;
		}
		envelopes.forEach(this::note);
		return true;
	}

	/** As {@link AppliedElsewhere#among}. */
	Set<Long> among(List<StoredEvent> page) {
		return this.elsewhere.among(page);
	}

	/** As the feed of the lanes does: later code may have a handler for its type. */
	private void note(StoredEvent passed) {
		String subject = this.pages.subjectOf(passed.event(), passed.position());
		String type = passed.event().type();
		if (subject != null && this.decoder.listensTo(subject) && this.endpoint.handlerOf(type, subject) == null) {
			this.coverage.skip(subject, type, passed.position());
		}
	}

}
