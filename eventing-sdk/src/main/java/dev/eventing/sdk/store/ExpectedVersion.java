package dev.eventing.sdk.store;

/**
 * What the version of a stream must be for an append to happen. A stream's version is the
 * number of its events; one without events does not exist.
 */
public sealed interface ExpectedVersion {

	/**
	 * The stream has exactly this version, because the decision to append was made on it.
	 * @param version 0 means what {@link #noStream} means
	 * @throws IllegalArgumentException if it is negative
	 */
	static ExpectedVersion exact(long version) {
		return (version == 0) ? NoStream.INSTANCE : new Exact(version);
	}

	/** The stream does not exist yet. */
	static ExpectedVersion noStream() {
		return NoStream.INSTANCE;
	}

	/** Whatever it is: the events are appended behind what is there. */
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
