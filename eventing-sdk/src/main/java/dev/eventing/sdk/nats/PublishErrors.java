package dev.eventing.sdk.nats;

import java.util.Set;

import io.nats.client.JetStreamApiException;
import org.jspecify.annotations.Nullable;

/**
 * Classifies what a server answers to a publish, alone or in a batch. It answers for one
 * of three reasons: this event cannot be stored as it is; the stream takes no event now;
 * or the server cannot do it at the moment.
 *
 * <p>
 * The codes are those of nats-server up to 2.15. An unknown code counts by its class, as
 * in HTTP: 4xx for the event, anything else for the server.
 */
final class PublishErrors {

	/** The stream cannot store a message, for the reason in the description. */
	private static final int NOT_STORED = 10077;

	/** The part of that description if one subject has its maximum of messages. */
	private static final String PER_SUBJECT = "per subject";

	/**
	 * The part of that description if the stream has its maximum of messages or bytes.
	 */
	private static final String MAXIMUM = "maximum";

	/**
	 * The part of that description if no store can hold the message: "message to large"
	 * before nats-server 2.12, "message too large" since.
	 */
	private static final Set<String> TOO_LARGE = Set.of("message to large", "message too large");

	/**
	 * The stream takes no event, whatever the event is. Full: the account (10002), the
	 * server (10023, 10028, 10047), or an account that has lost its limits for this kind
	 * of streams (10120). Closed: the stream is sealed (10109); it counts, so it takes
	 * increments only (10169, 10172).
	 */
	private static final Set<Integer> STREAM_TAKES_NONE = Set.of(10002, 10023, 10028, 10047, 10120, 10109, 10169,
			10172);

	/**
	 * A rollup that the stream does not allow. The event demands it, but its code is 500.
	 */
	private static final int ROLLUP_FAILED = 10111;

	/**
	 * The same message is still being stored (409), or there are too many requests (429).
	 */
	private static final Set<Integer> NOT_NOW = Set.of(408, 409, 429);

	private static final int CLIENT_ERRORS = 400;

	private static final int SERVER_ERRORS = 500;

	private PublishErrors() {
	}

	/**
	 * The exception for a publish that is not confirmed.
	 * @param what the event, as the beginning of a sentence
	 * @param violation the last permission that the server denied, or null
	 */
	static RuntimeException failure(String what, String subject, Throwable error, @Nullable String violation) {
		Throwable cause = JetStreamErrors.unwrapped(error);
		if (cause instanceof StreamAnswerException answer) {
			return failure(what, subject, answer.stream(), answer.error());
		}
		if (cause instanceof JetStreamApiException answer) {
			return failure(what, subject, null, answer);
		}
		if (cause instanceof NobodyListensException || JetStreamErrors.isWithoutResponders(cause)) {
			return new SubjectNotTakenException(subject, cause);
		}
		if (cause instanceof SubjectDeniedException denied) {
			return denied;
		}
		if (cause instanceof EventRefusedException refused) {
			return refused;
		}
		boolean denied = violation != null && violation.contains('"' + subject + '"');
		return new NatsUnavailableException(
				what + " is not confirmed by JetStream. Consider whether a stream carries that subject."
						+ (denied ? " The server reported: " + violation + "." : ""),
				cause);
	}

	private static RuntimeException failure(String what, String subject, @Nullable String stream,
			JetStreamApiException cause) {
		String unstored = what + " is not stored by JetStream: " + cause.getMessage() + ".";
		return switch (reason(cause)) {
			case EVENT ->
				new EventRefusedException(what + " is refused by JetStream: " + cause.getMessage() + ".", cause);
			case SUBJECT -> new SubjectFullException(subject, unstored, cause);
			case STREAM -> new StreamNotTakingException(subject, stream, unstored, cause);
			case SERVER -> new NatsUnavailableException(unstored, cause);
		};
	}

	static Reason reason(JetStreamApiException answer) {
		int code = answer.getErrorCode();
		if (answer.getApiErrorCode() == NOT_STORED) {
			return notStored(String.valueOf(answer.getErrorDescription()));
		}
		if (STREAM_TAKES_NONE.contains(answer.getApiErrorCode())) {
			return Reason.STREAM;
		}
		boolean byTheEvent = code >= CLIENT_ERRORS && code < SERVER_ERRORS && !NOT_NOW.contains(code);
		return (byTheEvent || answer.getApiErrorCode() == ROLLUP_FAILED) ? Reason.EVENT : Reason.SERVER;
	}

	private static Reason notStored(String why) {
		if (TOO_LARGE.stream().anyMatch(why::contains)) {
			return Reason.EVENT;
		}
		if (why.contains(PER_SUBJECT)) {
			return Reason.SUBJECT;
		}
		return why.contains(MAXIMUM) ? Reason.STREAM : Reason.SERVER;
	}

	/** Why a publish is not confirmed. */
	enum Reason {

		/** The stream can never store this event as it is. Others are not concerned. */
		EVENT,

		/** The stream takes no event of this subject until there is room. */
		SUBJECT,

		/** The stream takes no event until an operator makes room, or changes it. */
		STREAM,

		/** The server cannot do it now: a cluster without a leader, too many requests. */
		SERVER

	}

}
