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
 * Selects letters by criteria, all of which must match. A criterion that is null or an
 * empty text, as a form sends it, is ignored. The tenant is not a criterion: it is the
 * scope of a request.
 *
 * @param letterIds the ids of the letters
 * @param projector the projector
 * @param type the event's type on the wire
 * @param error the class of the last error
 * @param key the key
 * @param status the status
 * @param deadAfter the letter became dead at this time or later
 * @param deadBefore the letter became dead before this time
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

	/**
	 * Whether there are no criteria. An empty list of ids is a criterion: it selects no
	 * letter.
	 */
	boolean isNothing() {
		return this.letterIds != null && this.letterIds.isEmpty();
	}

	boolean isEverything() {
		return equals(ALL);
	}

}
