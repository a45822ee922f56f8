package dev.eventing.sdk.store;

/**
 * The state of a stream, and the version that an append based on it must expect.
 *
 * @param <S> the state's type
 * @param state the state of the stream at this version. Do not change it: without events
 * and snapshots it is the {@link Fold#initial} object, which all streams share. A change
 * is never part of a snapshot
 * @param version the stream's version; 0 if the stream does not exist
 * @param snapshotVersion the version of the snapshot that loading started from; 0 if
 * there was none
 * @param fold the fold that computed the state
 */
public record Loaded<S>(S state, long version, long snapshotVersion, Fold<S> fold) {

	/** Expects the loaded version: no events were appended since. */
	public ExpectedVersion expected() {
		return ExpectedVersion.exact(this.version);
	}

	boolean isSnapshotDue() {
		return this.fold.snapshotEvery() > 0 && this.version - this.snapshotVersion >= this.fold.snapshotEvery();
	}

	/** Omits the state, which may be confidential. */
	@Override
	public String toString() {
		return "Loaded[" + this.fold.name() + " at version " + this.version + "]";
	}

}
