package dev.eventing.sdk.operator;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * A letter in a list; see {@link DeadLetterSummary}.
 *
 * @param key the key that later letters wait on, or null
 * @param behind the first open letter of its key; null if it waits for none, and in an
 * export
 */
public record LetterRow(UUID letterId, long number, String projector, @Nullable String tenantId, UUID eventId,
		@Nullable String eventType, @Nullable String key, String reason, @Nullable UUID behind,
		@Nullable String errorClass, @Nullable String errorMessage, int attempts, int redrives, Instant deadAt,
		DeadLetterStatus status) {

	static LetterRow of(DeadLetterSummary letter) {
		return new LetterRow(letter.letterId(), letter.number(), letter.projector(), text(letter.tenantId()),
				letter.eventId(), letter.eventType(), letter.orderingKey(), letter.reason(), letter.behind(),
				letter.errorClass(), letter.errorMessage(), letter.attempts(), letter.redrives(), letter.deadAt(),
				letter.status());
	}

	/** Without {@code behind}, which a letter by itself does not have. */
	static LetterRow of(DeadLetter letter) {
		Failure failure = letter.failure();
		return new LetterRow(letter.letterId(), letter.number(), letter.projector(), text(letter.tenantId()),
				letter.eventId(), letter.eventType(), letter.orderingKey(), letter.reason(), null,
				(failure != null) ? failure.errorClass() : null, (failure != null) ? failure.message() : null,
				letter.attempts(), letter.handling().redrives(), letter.deadAt(), letter.status());
	}

	static @Nullable String text(@Nullable TenantId tenant) {
		return (tenant != null) ? tenant.value() : null;
	}

}
