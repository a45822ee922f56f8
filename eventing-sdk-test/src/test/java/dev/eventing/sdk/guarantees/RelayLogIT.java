package dev.eventing.sdk.guarantees;

import java.util.List;

import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The log has each reason why a relay publishes events again once, however often. */
@ExtendWith(OutputCaptureExtension.class)
class RelayLogIT {

	private static final int ATTEMPTS = 12;

	@AutoClose
	private final RelayWorld world = RelayWorld.create();

	private final String root = "not-" + this.world.world().root();

	private final RelayOptions elsewhere = this.world.options().withSubjects(this.root + ".{tenant}.{type}");

	@Test
	void hasOnceThatNoStreamCarriesTheSubjectsAndOnceThatOneDoes(CapturedOutput output) {
		try (var relay = this.world.start(this.elsewhere)) {
			this.world.append(World.ACME, "first", 2);
			this.world.append(World.ACME, "second", 1);
			await().until(() -> RelayWorld.status(relay).counts().retried() >= ATTEMPTS);
			assertThat(lines(output, "is not confirmed, and is published again")).singleElement()
				.asString()
				.contains("WARN", "Relay 'accounts': event ", " at position ",
						"No stream takes the event for subject '" + this.root + ".acme.Deposited'");
			assertThat(lines(output, "publishes again")).isEmpty();
			carry(-1);
			this.world.awaitDrained();
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
			assertThat(lines(output, "is not confirmed, and is published again")).hasSize(1);
			assertThat(lines(output, "publishes again: event ")).singleElement()
				.asString()
				.contains("INFO", "Relay 'accounts'", "is confirmed.");
		}
	}

	@Test
	void hasAnotherCauseToo(CapturedOutput output) {
		try (var relay = this.world.start(this.elsewhere)) {
			this.world.append(World.ACME, "first", 3);
			await().until(() -> RelayWorld.status(relay).counts().retried() >= 3);
			carry(1);
			await().untilAsserted(
					() -> assertThat(RelayWorld.status(relay).detail()).contains("maximum messages exceeded"));
			long before = RelayWorld.status(relay).counts().retried();
			await().until(() -> RelayWorld.status(relay).counts().retried() >= before + 3);
			assertThat(lines(output, "No stream takes the event")).hasSize(1);
			assertThat(lines(output, "is not confirmed, and is published again")).hasSize(2)
				.last()
				.asString()
				.contains("WARN", "maximum messages exceeded");
		}
	}

	/** Lets the stream carry the subjects, up to this number of events; -1 for any. */
	private void carry(long most) {
		this.world.jetStream((management) -> management.updateStream(
				StreamConfiguration.builder(management.getStreamInfo(this.world.world().stream()).getConfiguration())
					.addSubjects(this.root + ".>")
					.maxMessages(most)
					.discardPolicy(DiscardPolicy.New)
					.build()));
	}

	private static List<String> lines(CapturedOutput output, String part) {
		return output.getOut().lines().filter((line) -> line.contains(part)).toList();
	}

}
