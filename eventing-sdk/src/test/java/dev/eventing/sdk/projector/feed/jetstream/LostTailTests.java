package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.DurableState.StreamState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class LostTailTests {

	private static final DurableSpec DURABLE = new DurableSpec(ProjectorId.of("orders"), "ORDERS", "orders-consumer",
			Set.of("orders.>"), Duration.ofSeconds(30), 100, true);

	@AutoClose
	private final NatsClient nats = new NatsClient(NatsOptions.of("nats://127.0.0.1:1"));

	private final LostTail lostTail = new LostTail(ProjectorId.of("orders"), new Durables(this.nats),
			new DeliverySequence(true));

	/** As while the projector is paused. */
	@Test
	void isRememberedUntilTheDurableIsRewound() {
		DurableState grown = endingWith(200);
		assertThatNoException().isThrownBy(() -> this.lostTail.requireNone(grown, 0));
		assertThatExceptionOfType(DurableGoneException.class)
			.isThrownBy(() -> this.lostTail.requireNone(endingWith(50), 0));
		assertThatExceptionOfType(DurableGoneException.class).isThrownBy(() -> this.lostTail.requireNone(grown, 0));
		assertThat(this.lostTail.isNoticed(DURABLE, grown, null, 0)).isTrue();
		assertThat(this.lostTail.isNoticed(DURABLE, grown, null, 0)).isTrue();
		this.lostTail.accept(grown);
		assertThat(this.lostTail.isNoticed(DURABLE, grown, null, 0)).isFalse();
		assertThatNoException().isThrownBy(() -> this.lostTail.requireNone(grown, 0));
	}

	/** As if the durable could not be rewound at the first try. */
	@Test
	void isRememberedWhileTheFeedIsNotReady() {
		assertThat(this.lostTail.isNoticed(DURABLE, endingWith(50), null, 0)).isTrue();
		assertThat(this.lostTail.isNoticed(DURABLE, endingWith(200), null, 0)).isTrue();
		assertThat(this.lostTail.isNoticed()).isTrue();
	}

	private static DurableState endingWith(long last) {
		return new DurableState(new StreamState("ORDERS", Instant.EPOCH, last), 100, 100, 100, 0, 0, 0);
	}

}
