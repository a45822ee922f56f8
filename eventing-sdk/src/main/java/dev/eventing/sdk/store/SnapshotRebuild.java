package dev.eventing.sdk.store;

import java.util.List;

import dev.eventing.sdk.event.TenantId;

/**
 * What {@link SnapshotRebuilder} has done so far.
 *
 * @param due the streams that need a snapshot of this version of the fold, as they were
 * counted at first
 * @param written the snapshots that were stored
 * @param spared the streams that others have given a snapshot meanwhile, or that have no
 * events any more
 * @param failed the streams that could not be folded
 * @param events the events that were folded
 * @param failures the first of the streams that could not be folded
 * @param stopped whether the thread was interrupted, so that streams are left
 */
public record SnapshotRebuild(long due, long written, long spared, long failed, long events, List<Failure> failures,
		boolean stopped) {

	public SnapshotRebuild {
		failures = List.copyOf(failures);
	}

	/** Whether each stream that needs a snapshot has one. */
	public boolean isComplete() {
		return this.failed == 0 && !this.stopped;
	}

	/**
	 * A stream that could not be folded. Its former snapshot stays.
	 *
	 * @param tenantId the tenant
	 * @param streamId the stream
	 * @param problem why, without any part of a payload or a state
	 */
	public record Failure(TenantId tenantId, String streamId, String problem) {
	}

}
