package dev.eventing.sdk.store;

/**
 * The state of a stream at a version.
 *
 * @param <S> the state's type
 */
public record Snapshot<S>(S state, long version) {

	/** Omits the state, which may be confidential. */
	@Override
	public String toString() {
		return "Snapshot[version " + this.version + "]";
	}

}
