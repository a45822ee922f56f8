package dev.eventing.sdk.relay;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.store.StoredEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class LoggedRetriesTests {

	private static final Slot SLOT = Slot.of(new StoredEvent(7, Instant.EPOCH, Event
		.builder(TenantId.of("acme"), UnboundPayload.of("{}".getBytes(StandardCharsets.UTF_8), EventJson.mapper()))
		.type("tested")
		.streamId("a-1")
		.build()));

	private final LoggedRetries retries = new LoggedRetries("loans");

	@Test
	void nameEachCauseOnceUntilItIsOver(CapturedOutput output) {
		fail("no answer within 5 s");
		fail("no answer within 6 s");
		fail("the stream is full");
		fail("no answer within 5 s");
		assertThat(warnings(output)).isEqualTo(2);
		this.retries.over(SLOT);
		this.retries.over(SLOT);
		assertThat(output).containsOnlyOnce(
				"Relay 'loans' publishes again: event " + SLOT.event().id() + " at position 7 is confirmed.");
		fail("no answer within 5 s");
		assertThat(warnings(output)).isEqualTo(3);
	}

	@Test
	void nameTheCauseAgainWhereAnotherNodeHasPublishedMeanwhile(CapturedOutput output) {
		fail("the stream is full");
		this.retries.forget();
		this.retries.over(SLOT);
		assertThat(output).doesNotContain("publishes again");
		fail("the stream is full");
		assertThat(warnings(output)).isEqualTo(2);
	}

	private void fail(String cause) {
		this.retries.unconfirmed(SLOT, new NatsUnavailableException(cause, null), cause);
	}

	private static long warnings(CapturedOutput output) {
		return output.getOut().lines().filter((line) -> line.contains("is not confirmed, and is published")).count();
	}

}
