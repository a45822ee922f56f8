package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import org.jspecify.annotations.Nullable;

/**
 * A durable that is looked at when the last deliveries are settled: the server may still
 * be counting acks. Stateless.
 */
final class SettlingDurable {

	private static final int LOOKS = 10;

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

	private SettlingDurable() {
	}

	/**
	 * Looks at it again, for some hundred milliseconds, as long as its state is late.
	 * @return its last state, which may be late; null if there is no such durable
	 */
	static @Nullable DurableState find(Durables durables, DurableSpec spec, Predicate<DurableState> isLate) {
		DurableState standing = durables.find(spec);
		for (int look = 1; look < LOOKS && standing != null && isLate.test(standing); look++) {
			LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
			standing = durables.find(spec);
		}
		return standing;
	}

}
