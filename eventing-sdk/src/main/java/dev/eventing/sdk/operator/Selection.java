package dev.eventing.sdk.operator;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterFilter.TimeRange;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import org.jspecify.annotations.Nullable;

/**
 * Which letters are meant: those that fit all that is said. Null, or nothing, says
 * nothing; so does an empty text, as a form sends it. The tenant is no part of it: that
 * is the scope of a request.
 *
 * @param letterIds these letters only
 * @param projector of this projector
 * @param type of this type on the wire
 * @param error whose last error has this class
 * @param key of this key
 * @param status that stand there
 * @param deadAfter given up at this time or later
 * @param deadBefore given up before this time
 */
public record Selection(@Nullable List<UUID> letterIds, @Nullable String projector, @Nullable String type,
		@Nullable String error, @Nullable String key, @Nullable DeadLetterStatus status, @Nullable Instant deadAfter,
		@Nullable Instant deadBefore) {

	/** All letters. */
	public static final Selection ALL = new Selection(null, null, null, null, null, null, null, null);

	public Selection {
		letterIds = (letterIds != null) ? List.copyOf(letterIds) : null;
		projector = emptyToNull(projector);
		type = emptyToNull(type);
		error = emptyToNull(error);
		key = emptyToNull(key);
	}

	private static @Nullable String emptyToNull(@Nullable String text) {
		return (text == null || text.isEmpty()) ? null : text;
	}

	DeadLetterFilter filter() {
		return new DeadLetterFilter((this.letterIds != null) ? Set.copyOf(this.letterIds) : Set.of(), this.projector,
				null, this.type, this.error, this.key, this.status, new TimeRange(this.deadAfter, this.deadBefore));
	}

	/** An empty list of ids means no letter, and is not to be taken for all. */
	boolean isNothing() {
		return this.letterIds != null && this.letterIds.isEmpty();
	}

	boolean isEverything() {
		return equals(ALL);
	}

}
