package dev.eventing.sdk.projection.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What appends do for an inline projector.
 *
 * @param isInline whether appends run its handlers
 * @param code the digest of what these handlers handle
 * @param handled what they handle; empty if appends never ran any
 * @param turn counts how often the projector became inline
 * @param from appends applied events after this position; null if they never did
 * @param to the last position that appends applied; null while they do
 * @param isDemoted whether an operator keeps it from becoming inline
 */
public record InlineRow(boolean isInline, String code, String handled, long turn, @Nullable Long from,
		@Nullable Long to, boolean isDemoted) {

	/**
	 * Whether an append was to apply the event at a position. It did, unless the position
	 * is among the skips.
	 */
	public boolean covers(long position) {
		boolean begun = this.from != null && position > this.from;
		return begun && (this.isInline || (this.to != null && position <= this.to));
	}

}
