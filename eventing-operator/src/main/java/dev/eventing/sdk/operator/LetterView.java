package dev.eventing.sdk.operator;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.AuditEntry;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.LetterHandling;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * All data of a letter.
 *
 * @param letter the letter as in a list
 * @param event the event as it was delivered
 * @param origin where the event came from
 * @param stackTrace the stack trace of the last error, or null
 * @param handling what has happened since it was parked
 * @param audit the actions of operators, oldest first; empty in an export
 * @param sameKey the oldest letters of the same projector, tenant and key, at most 100,
 * oldest first; this one is among them unless 100 are older. Empty if no order is kept,
 * and in an export
 * @param redriver the node that would run a redrive; null if no running application has
 * the handler, and in an export
 */
public record LetterView(LetterRow letter, EventView event, Origin origin, @Nullable String stackTrace,
		HandlingView handling, List<AuditEntry> audit, List<LetterRow> sameKey, @Nullable RedriveNode redriver) {

	/**
	 * A letter of an export: with its payload, and without what only further queries
	 * know.
	 */
	public static LetterView exported(DeadLetter letter) {
		return of(letter, LetterRow.of(letter), OperatorRules.ALL, List.of(), List.of(), null);
	}

	static LetterView of(DeadLetter letter, LetterRow row, OperatorRules rules, List<AuditEntry> audit,
			List<LetterRow> sameKey, @Nullable RedriveNode redriver) {
		Failure failure = letter.failure();
		return new LetterView(row, EventView.of(letter, rules),
				new Origin(letter.place().stream(), letter.place().sequence(), letter.place().storedAt(),
						letter.cause().firstFailedAt()),
				(failure != null) ? failure.stackTrace() : null, HandlingView.of(letter), audit, sameKey, redriver);
	}

	/**
	 * The event as it was delivered.
	 *
	 * @param subject its subject
	 * @param headers the visible headers
	 * @param hiddenHeaders the names of the other headers
	 * @param payload its payload
	 * @param editedPayload the payload that redrives use instead, or null
	 */
	public record EventView(String subject, Map<String, List<String>> headers, List<String> hiddenHeaders,
			PayloadView payload, @Nullable PayloadView editedPayload) {

		static EventView of(DeadLetter letter, OperatorRules rules) {
			RawEvent edited = letter.handling().edited();
			EventHeaders all = letter.event().headers();
			Map<String, List<String>> shown = new LinkedHashMap<>(all.toMap());
			List<String> hidden = all.names()
				.stream()
				.filter((name) -> !rules.showPayload() && !isAttribute(name))
				.toList();
			hidden.forEach(shown::remove);
			return new EventView(letter.event().subject(), shown, hidden, payload(letter.event(), rules),
					(edited != null) ? payload(edited, rules) : null);
		}

		private static boolean isAttribute(String header) {
			return header.toLowerCase(Locale.ROOT).startsWith("ce-");
		}

		private static PayloadView payload(RawEvent event, OperatorRules rules) {
			return rules.showPayload() ? PayloadView.shown(event.payload()) : PayloadView.hidden(event.payload());
		}

	}

	/**
	 * Where an event came from.
	 *
	 * @param stream the stream
	 * @param streamSequence its sequence in the stream
	 * @param publishedAt when the stream stored it
	 * @param firstFailedAt when it failed for the first time
	 */
	public record Origin(String stream, long streamSequence, Instant publishedAt, Instant firstFailedAt) {
	}

	/**
	 * The events since the letter was parked.
	 *
	 * @param parks whether later events of its key are parked while it is open
	 * @param parkingKey the tenant and the key by which they are parked, in the form of
	 * the table; null if they are not parked
	 * @param redriveId the latest redrive it was part of, or null
	 * @param nextRedriveAt when it is redriven automatically, or null
	 * @param forwardedAt when the dead-letter stream confirmed its copy, or null
	 * @param closedAt when it was resolved or discarded, or null
	 */
	public record HandlingView(boolean parks, @Nullable String parkingKey, @Nullable UUID redriveId,
			@Nullable Instant nextRedriveAt, @Nullable Instant forwardedAt, @Nullable Instant closedAt) {

		static HandlingView of(DeadLetter letter) {
			LetterHandling handling = letter.handling();
			return new HandlingView(handling.parkingKey() != null, handling.parkingKey(),
					handling.redriven().redriveId(), handling.redriven().nextAt(), handling.forwardedAt(),
					handling.closedAt());
		}

	}

}
