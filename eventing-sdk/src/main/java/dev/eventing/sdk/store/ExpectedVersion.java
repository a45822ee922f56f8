package dev.eventing.sdk.store;

/**
 * The version that a stream must have for an append to succeed. A stream's version is the
 * number of its events. A stream without events does not exist.
 */
public sealed interface ExpectedVersion {

	/**
	 * The stream has exactly this version: the one on which the decision to append was
	 * made.
	 * @param version 0 means the same as {@link #noStream}
	 * @throws IllegalArgumentException if it is negative
	 */
	static ExpectedVersion exact(long version) {
		return (version == 0) ? NoStream.INSTANCE : new Exact(version);
	}

	/** The stream does not exist yet. */
	static ExpectedVersion noStream() {
		return NoStream.INSTANCE;
	}

	/**
	 * The stream may have any version: the events are appended after the existing ones.
	 */
	static ExpectedVersion any() {
		return Any.INSTANCE;
	}

	/**
	 * See {@link ExpectedVersion#exact}.
	 *
	 * @param version above 0
	 */
	record Exact(long version) implements ExpectedVersion {

		public Exact {
			if (version < 1) {
				throw new IllegalArgumentException("Version " + version + " is no version. Consider 0 or above.");
			}
		}

		@Override
		public String toString() {
			return "version " + this.version;
		}

	}

	/** See {@link ExpectedVersion#noStream}. */
	enum NoStream implements ExpectedVersion {

		INSTANCE;

		@Override
		public String toString() {
			return "no stream";
		}

	}

	/** See {@link ExpectedVersion#any}. */
	enum Any implements ExpectedVersion {

		INSTANCE;

		@Override
		public String toString() {
			return "any version";
		}

	}

}
