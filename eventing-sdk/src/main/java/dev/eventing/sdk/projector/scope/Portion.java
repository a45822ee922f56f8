package dev.eventing.sdk.projector.scope;

import java.time.Instant;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.store.SelectedEvents.Selection;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one transaction rebuilds.
 *
 * @param description the same in words
 * @param tenant the tenant of its rows; null for the rows of all
 * @param stream the stream of its rows, or null
 * @param from the beginning of its first bucket, or null
 * @param to the end of its last bucket, or null
 */
record Portion(String description, @Nullable TenantId tenant, @Nullable String stream, @Nullable Instant from,
		@Nullable Instant to) {

	boolean isWindow() {
		return this.from != null;
	}

	/** The events that make its rows. */
	Selection events() {
		return new Selection(this.tenant, this.stream, this.from, this.to);
	}

}
