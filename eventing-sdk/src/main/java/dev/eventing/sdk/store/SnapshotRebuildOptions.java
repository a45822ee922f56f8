package dev.eventing.sdk.store;

import java.util.Objects;
import java.util.function.Consumer;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Which snapshots {@link SnapshotRebuilder} takes, how fast, and what it tells.
 * Immutable.
 *
 * @param tenantId the tenant of the streams; null for those of all tenants
 * @param prefix the beginning of the ids of the fold's streams: those without a snapshot
 * get one too, if they are long enough. Null: only streams that have one
 * @param rate the most events that are folded in a second; 0 for no limit
 * @param dryRun only counts the streams
 * @param progress called after each page with what is done
 */
public record SnapshotRebuildOptions(@Nullable TenantId tenantId, @Nullable String prefix, int rate, boolean dryRun,
		Consumer<SnapshotRebuild> progress) {

	public SnapshotRebuildOptions {
		Objects.requireNonNull(progress, "progress");
		if (rate < 0) {
			throw new IllegalArgumentException(
					"A rate of " + rate + " events in a second. Consider a positive one, or 0 for no limit.");
		}
	}

	/** Of all tenants, at full speed. */
	public static SnapshotRebuildOptions all() {
		return new SnapshotRebuildOptions(null, null, 0, false, (progress) -> {
		});
	}

	/** Of this tenant only; null for all. */
	public SnapshotRebuildOptions ofTenant(@Nullable TenantId tenantId) {
		return new SnapshotRebuildOptions(tenantId, this.prefix, this.rate, this.dryRun, this.progress);
	}

	/**
	 * Also of the streams without a snapshot whose ids begin like this; null for none.
	 */
	public SnapshotRebuildOptions withStreams(@Nullable String prefix) {
		return new SnapshotRebuildOptions(this.tenantId, prefix, this.rate, this.dryRun, this.progress);
	}

	/** At most this number of events in a second; 0 for no limit. */
	public SnapshotRebuildOptions atRate(int eventsPerSecond) {
		return new SnapshotRebuildOptions(this.tenantId, this.prefix, eventsPerSecond, this.dryRun, this.progress);
	}

	/** Whether it only counts the streams. */
	public SnapshotRebuildOptions dryRun(boolean dryRun) {
		return new SnapshotRebuildOptions(this.tenantId, this.prefix, this.rate, dryRun, this.progress);
	}

	/** Tells how far it is, on the thread that rebuilds. */
	public SnapshotRebuildOptions telling(Consumer<SnapshotRebuild> progress) {
		return new SnapshotRebuildOptions(this.tenantId, this.prefix, this.rate, this.dryRun, progress);
	}

}
