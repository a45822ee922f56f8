package dev.eventing.sdk.operator;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** The body of a request that changes letters. */
public sealed interface LetterBody extends ChangeBody {

	/** The body of a request for several letters. */
	sealed interface OfSeveral extends LetterBody {

		/** The letters that are meant; without conditions it selects all. */
		Selection selection();

		/**
		 * Must be true if the selection has no condition, so that a forgotten filter
		 * changes no letter.
		 */
		boolean all();

	}

	/**
	 * Runs letters again.
	 *
	 * @param ratePerSecond the most letters that run per second; null for no limit
	 */
	record Redrive(Selection selection, boolean all, @Nullable Integer ratePerSecond, boolean dryRun,
			@Nullable String actor) implements OfSeveral {

		public Redrive {
			selection = Objects.requireNonNullElse(selection, Selection.ALL);
		}

	}

	/**
	 * Closes letters without running them.
	 *
	 * @param most the most letters that may be discarded, as counted before; null for any
	 * number
	 * @param reason the reason, for the audit
	 */
	record Discard(Selection selection, boolean all, @Nullable Long most, @Nullable String reason, boolean dryRun,
			@Nullable String actor) implements OfSeveral {

		public Discard {
			selection = Objects.requireNonNullElse(selection, Selection.ALL);
		}

	}

	/**
	 * Gives a letter another payload. There is nothing to count beforehand.
	 *
	 * @param payload the new payload as text; null to restore the original
	 * @param reason the reason, for the audit
	 */
	record Edit(@Nullable String payload, @Nullable String reason, @Nullable String actor) implements LetterBody {

		@Override
		public boolean dryRun() {
			return false;
		}

	}

}
