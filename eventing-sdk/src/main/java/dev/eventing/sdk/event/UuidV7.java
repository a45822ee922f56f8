package dev.eventing.sdk.event;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time-ordered UUIDs (RFC 9562, version 7). Within one JVM they are strictly ascending,
 * across threads and also when the clock goes back. This keeps indexes dense. They are
 * identities, not secrets.
 */
public final class UuidV7 {

	private static final int FRACTION_BITS = 12;

	private static final long NANOS_PER_MILLI = 1_000_000;

	/**
	 * Milliseconds in the high bits, 4096ths of a millisecond in the low 12 bits. At
	 * least the current time.
	 */
	private static final AtomicLong LAST = new AtomicLong();

	/**
	 * Prevents equal UUIDs of two JVMs whose thread-local generators start with the same
	 * seed.
	 */
	private static final long SALT = new SecureRandom().nextLong();

	private UuidV7() {
	}

	/** The next UUID, by the system's clock. */
	public static UUID next() {
		return next(Clock.systemUTC());
	}

	/** The next UUID by this clock, greater than all UUIDs made before. */
	static UUID next(Clock clock) {
		return at(LAST.accumulateAndGet(ticks(clock.instant()), (last, now) -> Math.max(last + 1, now)));
	}

	private static long ticks(Instant now) {
		long fraction = (now.get(ChronoField.NANO_OF_SECOND) % NANOS_PER_MILLI << FRACTION_BITS) / NANOS_PER_MILLI;
		return (now.toEpochMilli() << FRACTION_BITS) | fraction;
	}

	private static UUID at(long ticks) {
		long millis = ticks >>> FRACTION_BITS;
		long fraction = ticks & 0xFFF;
		long high = (millis << 16) | 0x7000L | fraction;
		long random = ThreadLocalRandom.current().nextLong() ^ SALT;
		long low = (random & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
		return new UUID(high, low);
	}

}
