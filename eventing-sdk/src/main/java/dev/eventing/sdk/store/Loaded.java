package dev.eventing.sdk.store;

/**
 * What a stream folds to, and what an append that is decided on it has to expect.
 *
 * @param <S> the state's type
 * @param state of the stream at this version
 * @param version the number of events folded; 0 if the stream does not exist
 * @param snapshotVersion of the snapshot it began with; 0 for none
 * @param fold how it was made
 */
public record Loaded<S>(S state, long version, long snapshotVersion, Fold<S> fold) {

	/** That nobody has appended since. */
	public ExpectedVersion expected() {
		return ExpectedVersion.exact(this.version);
	}

	boolean isSnapshotDue() {
		return this.fold.snapshotEvery() > 0 && this.version - this.snapshotVersion >= this.fold.snapshotEvery();
	}

	/** Never shows the state: it may be confidential. */
	@Override
	public String toString() {
		return "Loaded[" + this.fold.name() + " at version " + this.version + "]";
	}

}
