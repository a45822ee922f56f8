package dev.eventing.sdk.guarantees;

import java.util.function.UnaryOperator;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.StreamNotTakingException;
import dev.eventing.sdk.nats.SubjectFullException;
import dev.eventing.sdk.relay.RelayState;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A stream takes no more events, of one subject or at all, until there is room. */
class G7FullSubjectIT {

	private static final TenantId GLOBEX = TenantId.of("globex");

	@AutoClose
	private final RelayWorld world = RelayWorld.create();

	@Test
	void goesOnWithOtherSubjectsAndPublishesTheRestInOrderOnceThereIsRoom() {
		change((stream) -> stream.discardPolicy(DiscardPolicy.New).discardNewPerSubject(true).maxMessagesPerSubject(5));
		try (var relay = this.world.start(this.world.options())) {
			this.world.append(GLOBEX, "first", 9);
			await().until(() -> this.world.stored().size() == 5);
			this.world.append(GLOBEX, "second", 1);
			for (int event = 0; event < 5; event++) {
				this.world.append(World.ACME, "account", 1);
			}
			await().until(() -> this.world.stored().size() == 10);
			await().untilAsserted(() -> {
				assertThat(RelayWorld.status(relay).stoppedStreams()).isEqualTo(2);
				assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.RUNNING);
				assertThat(RelayWorld.status(relay).detail())
					.contains("takes no events now in subject '" + this.world.world().root() + ".globex.deposited'")
					.contains("2 streams wait", "maximum messages per subject exceeded [10077]");
			});
			this.world.append(GLOBEX, "first", 1);
			change((stream) -> stream.maxMessagesPerSubject(-1).discardNewPerSubject(false));
			await().until(() -> this.world.stored().size() == 16);
			await().until(() -> RelayWorld.status(relay).stoppedStreams() == 0);
		}
		this.world.assertThatTheStreamHoldsEverythingInOrder();
	}

	@Test
	void saysInTheServersWordsThatTheStreamIsFull() {
		change((stream) -> stream.discardPolicy(DiscardPolicy.New).maxMessages(2));
		try (var relay = this.world.start(this.world.options())) {
			this.world.append(World.ACME, "account", 4);
			await().untilAsserted(() -> assertThat(RelayWorld.status(relay).detail())
				.contains("is not stored by JetStream: maximum messages exceeded [10077]"));
			assertThat(this.world.world().count("select count(*) from eventing.relay_refusals"))
				.as("events set aside though no other stream takes any")
				.isZero();
			change((stream) -> stream.maxMessages(-1));
			this.world.awaitDrained();
			assertThat(RelayWorld.status(relay).counts().refused()).isZero();
		}
		this.world.assertThatTheStreamHoldsEverythingInOrder();
	}

	@Test
	void goesOnInOrderOnceAStreamHasBytesAgain() {
		change((stream) -> stream.discardPolicy(DiscardPolicy.New).maxBytes(2000));
		try (var relay = this.world.start(this.world.options())) {
			this.world.append(World.ACME, "account", 20);
			await().untilAsserted(() -> assertThat(RelayWorld.status(relay).detail())
				.contains("is not stored by JetStream: maximum bytes exceeded [10077]"));
			assertThat(this.world.stored()).hasSizeLessThan(20);
			change((stream) -> stream.maxBytes(-1));
			this.world.awaitDrained();
			assertThat(RelayWorld.status(relay).counts().refused()).isZero();
		}
		this.world.assertThatTheStreamHoldsEverythingInOrder();
	}

	@Test
	void tellsAPublisherWhichSubjectIsFull() {
		change((stream) -> stream.discardPolicy(DiscardPolicy.New).discardNewPerSubject(true).maxMessagesPerSubject(1));
		this.world.world().publish(World.ACME, "account", 1, 1);
		assertThatExceptionOfType(SubjectFullException.class)
			.isThrownBy(() -> this.world.world().publish(World.ACME, "account", 2, 2))
			.withMessageContaining("maximum messages per subject exceeded [10077]")
			.satisfies((ex) -> assertThat(ex.subject()).isEqualTo(this.world.world().root() + ".acme.deposited"));
		change((stream) -> stream.discardNewPerSubject(false).maxMessagesPerSubject(-1).maxMessages(1));
		assertThatExceptionOfType(NatsUnavailableException.class)
			.isThrownBy(() -> this.world.world().publish(World.ACME, "account", 3, 3))
			.withMessageContaining("maximum messages exceeded [10077]")
			.isInstanceOf(StreamNotTakingException.class);
	}

	private void change(UnaryOperator<StreamConfiguration.Builder> changes) {
		this.world
			.jetStream(
					(management) -> management.updateStream(changes
						.apply(StreamConfiguration
							.builder(management.getStreamInfo(this.world.world().stream()).getConfiguration()))
						.build()));
	}

}
