package dev.eventing.sdk.deadletter.forward;

import java.util.Locale;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.deadletter.ledger.UnforwardedLetters.Waiting;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.HeaderText;
import dev.eventing.sdk.event.PercentCoding;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/** Dead letters as messages of the dead-letter stream. */
final class DeadLetterMessages {

	/** The first token of the subjects. */
	static final String ROOT = "dlq";

	private static final String HEADER = "Eventing-Dead-Letter-";

	/** Stands for a tenant that is not known. */
	private static final String NO_TENANT = "_";

	/**
	 * The longest text of an error in a header. Headers must be short; the ledger has the
	 * whole text.
	 */
	private static final int LONGEST_MESSAGE = 500;

	private DeadLetterMessages() {
	}

	/** {@code dlq.<stream>.<projector>.<tenant>}; each of these names is one token. */
	private static String subjectOf(String stream, String projector, @Nullable TenantId tenant) {
		return String.join(".", ROOT, stream, projector, (tenant != null) ? tenant.value() : NO_TENANT);
	}

	static String subjectOf(Waiting letter) {
		return subjectOf(letter.stream(), letter.projector(), letter.tenantId());
	}

	private static String subjectOf(DeadLetter letter) {
		return subjectOf(letter.place().stream(), letter.projector(), letter.tenantId());
	}

	/** The event as it was delivered, with what the ledger knows in its headers. */
	static RawEvent of(DeadLetter letter) {
		return new RawEvent(subjectOf(letter), headers(letter).build(), letter.event().payload());
	}

	/** The same for a stream that does not take so large a message. */
	static RawEvent withoutPayload(DeadLetter letter) {
		EventHeaders headers = headers(letter)
			.set(HEADER + "Payload-Omitted", Integer.toString(letter.event().payload().length))
			.build();
		return new RawEvent(subjectOf(letter), headers, new byte[0]);
	}

	private static EventHeaders.Builder headers(DeadLetter letter) {
		EventHeaders.Builder headers = EventHeaders.builder();
		int changed = copy(letter.event().headers(), headers);
		Failure failure = letter.failure();
		set(headers, "Headers-Changed", (changed > 0) ? changed : null);
		set(headers, "Id", letter.letterId());
		set(headers, "Projector", letter.projector());
		set(headers, "Tenant", letter.tenantId());
		set(headers, "Event-Id", letter.eventId());
		set(headers, "Event-Type", letter.eventType());
		set(headers, "Key", letter.orderingKey());
		set(headers, "Subject", letter.event().subject());
		set(headers, "Stream", letter.place().stream());
		set(headers, "Sequence", letter.place().sequence());
		set(headers, "Published-At", letter.place().storedAt());
		set(headers, "Reason", letter.reason());
		set(headers, "Error-Class", (failure != null) ? failure.errorClass() : null);
		set(headers, "Error-Message", (failure != null) ? cut(failure.message()) : null);
		set(headers, "Attempts", letter.attempts());
		set(headers, "First-Failed-At", letter.cause().firstFailedAt());
		set(headers, "Dead-At", letter.deadAt());
		// with the number, since a letter that is opened again is another message
		return headers.set("Nats-Msg-Id", ROOT + ":" + letter.letterId() + ":" + letter.number());
	}

	/**
	 * Copies what a message may carry. The ledger keeps headers that no publisher may
	 * send, so a value that cannot stand in a header is percent-encoded, and a name that
	 * cannot is left out.
	 * @return the number of headers that cannot stand in a message as they were delivered
	 */
	private static int copy(EventHeaders delivered, EventHeaders.Builder headers) {
		int[] changed = { 0 };
		delivered.forEach((name, value) -> {
			boolean plain = HeaderText.isName(name) && HeaderText.isValue(value);
			changed[0] += plain ? 0 : 1;
			// headers of the first publish are orders to the server, such as an expected
			// sequence
			if (HeaderText.isName(name) && !name.toLowerCase(Locale.ROOT).startsWith("nats-")) {
				headers.add(name, plain ? value : PercentCoding.encode(value));
			}
		});
		return changed[0];
	}

	private static void set(EventHeaders.Builder headers, String name, @Nullable Object value) {
		headers.set(HEADER + name, (value != null) ? PercentCoding.encode(value.toString()) : null);
	}

	private static @Nullable String cut(@Nullable String message) {
		return StorableText.ofNullable(message, LONGEST_MESSAGE);
	}

}
