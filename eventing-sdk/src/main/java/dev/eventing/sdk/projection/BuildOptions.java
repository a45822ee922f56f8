package dev.eventing.sdk.projection;

import org.jspecify.annotations.Nullable;

/**
 * The limits of a build beside the live generation. They count while it is
 * {@code BUILDING}, and no longer.
 *
 * @param rate the most events of the event store that it reads in a second; null if it
 * slows down by itself while the live generation or a replica lags
 * @param maxBytes the most bytes that its tables may take on the disk, with their
 * indexes; null for no limit
 * @param until up to where it is filled, to show the read model as it was then; null if
 * it follows its source
 */
public record BuildOptions(@Nullable Integer rate, @Nullable Long maxBytes, @Nullable Until until) {

	/** No limit is set. */
	public static final BuildOptions DEFAULT = new BuildOptions(null, null);

	public BuildOptions {
		if (rate != null && rate < 1) {
			throw new IllegalArgumentException("'rate' must be at least one event per second, not " + rate + ".");
		}
		if (maxBytes != null && maxBytes < 1) {
			throw new IllegalArgumentException("'maxBytes' must be at least one byte, not " + maxBytes + ".");
		}
	}

	/** For a generation that follows its source. */
	public BuildOptions(@Nullable Integer rate, @Nullable Long maxBytes) {
		this(rate, maxBytes, null);
	}

	/** The same, for a generation that shows the read model as it was then. */
	public BuildOptions until(Until then) {
		return new BuildOptions(this.rate, this.maxBytes, then);
	}

}
