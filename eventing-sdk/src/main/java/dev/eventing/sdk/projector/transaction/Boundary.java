package dev.eventing.sdk.projector.transaction;

import org.jspecify.annotations.Nullable;

/**
 * How the transactions of a projector begin and end. Those of a generation that is not
 * live must write to its own tables only.
 */
public interface Boundary {

	/** The boundary of the live generation, which may write anywhere. */
	Boundary NONE = new Boundary() {

		@Override
		public boolean isNarrow() {
			return false;
		}

		@Override
		public void enter() {
			// names mean what they mean to the application
		}

		@Override
		public @Nullable String strangerWrittenTo() {
			return null;
		}

		@Override
		public void fail(String why) {
			throw new IllegalStateException(why);
		}

	};

	/** Whether some tables must not be written to. */
	default boolean isNarrow() {
		return true;
	}

	/** Makes names mean the generation's own tables, until the transaction ends. */
	void enter();

	/**
	 * Returns a table that the transaction has written to and must not, or null. Called
	 * before the commit, after everything else.
	 */
	@Nullable String strangerWrittenTo();

	/** Records that the generation cannot go on. In a transaction of its own. */
	void fail(String why);

}
