package dev.eventing.sdk.nats;

import java.lang.reflect.Proxy;
import java.time.Duration;

import io.nats.client.Subscription;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SubscriptionsTests {

	@Test
	void aSubscriptionThatEndsWhileTheClientReadsItIsInactive() {
		Subscription ending = (Subscription) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Subscription.class }, (proxy, method, arguments) -> {
					throw new NullPointerException("Cannot invoke pop because this.incoming is null");
				});
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> Subscriptions.next(ending, Duration.ofSeconds(1)));
	}

}
