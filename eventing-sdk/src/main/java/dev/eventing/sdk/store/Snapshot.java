package dev.eventing.sdk.store;

/**
 * The state a stream had at a version.
 *
 * @param <S> the state's type
 */
public record Snapshot<S>(S state, long version) {

	/** Never shows the state: it may be confidential. */
	@Override
	public String toString() {
		return "Snapshot[version " + this.version + "]";
	}

}
