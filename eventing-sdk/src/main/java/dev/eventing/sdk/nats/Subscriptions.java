package dev.eventing.sdk.nats;

import java.time.Duration;

import io.nats.client.Message;
import io.nats.client.Subscription;
import org.jspecify.annotations.Nullable;

/** Messages of subscriptions that may end at any time. */
final class Subscriptions {

	private Subscriptions() {
	}

	/**
	 * Waits for a message. The client's threads end a subscription without a lock, when
	 * its connection closes or its drain is over; the client then either says that it is
	 * inactive or, if it ends between two of the client's statements, throws a
	 * NullPointerException (jnats 2.26.2, {@code NatsSubscription.nextMessageInternal}).
	 * @throws IllegalStateException if the subscription has ended
	 */
	static @Nullable Message next(Subscription subscription, Duration wait) throws InterruptedException {
		try {
			return subscription.nextMessage(wait);
		}
		catch (NullPointerException ex) {
			throw new IllegalStateException("This subscription became inactive.", ex);
		}
	}

}
