package dev.eventing.sdk.nats;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The metadata of one delivery of a message, which JetStream puts into the subject of its
 * settlement.
 *
 * @param delivered how often the message was delivered, including this time
 * @param sequence the message's sequence in the stream
 * @param number the number of this delivery among all deliveries of the consumer
 * @param storedAt when the stream stored the message
 * @param pending the number of messages that the consumer had not delivered yet
 * @see <a href=
 * "https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-15.md">ADR-15</a>
 */
record DeliveryMetadata(long delivered, long sequence, long number, Instant storedAt, long pending) {

	private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final int TOKENS = 9;

	/**
	 * The number of tokens if the domain and a hash of the account precede the stream.
	 */
	private static final int TOKENS_WITH_DOMAIN = 11;

	/** The number of tokens before the numbers: {@code $JS.ACK.<stream>.<consumer>}. */
	private static final int NAMES = 4;

	/**
	 * Reads {@code $JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<delivered>.<stream
	 * sequence>.<consumer sequence>.<nanoseconds>.<pending>[.<further>]}.
	 * @throws IllegalArgumentException if the subject is not a settlement subject
	 */
	static DeliveryMetadata of(String settlements) {
		int tokens = tokens(settlements);
		if (!settlements.startsWith("$JS.ACK.") || tokens < TOKENS || tokens == TOKENS + 1) {
			throw new IllegalArgumentException("'" + settlements + "' is no subject JetStream takes settlements on.");
		}
		int place = behind(settlements, 0, (tokens == TOKENS) ? NAMES : NAMES + TOKENS_WITH_DOMAIN - TOKENS);
		long[] numbers = new long[TOKENS - NAMES];
		for (int i = 0; i < numbers.length; i++) {
			int end = settlements.indexOf('.', place);
			int to = (end >= 0) ? end : settlements.length();
			numbers[i] = Long.parseLong(settlements, place, to, 10);
			place = to + 1;
		}
		Instant storedAt = Instant.ofEpochSecond(numbers[3] / NANOS_PER_SECOND, numbers[3] % NANOS_PER_SECOND);
		return new DeliveryMetadata(numbers[0], numbers[1], numbers[2], storedAt, numbers[4]);
	}

	private static int tokens(String subject) {
		int tokens = 1;
		for (int i = 0; i < subject.length(); i++) {
			tokens += (subject.charAt(i) == '.') ? 1 : 0;
		}
		return tokens;
	}

	/** The index after the given number of tokens. */
	private static int behind(String subject, int from, int tokens) {
		int place = from;
		for (int i = 0; i < tokens; i++) {
			place = subject.indexOf('.', place) + 1;
		}
		return place;
	}

}
