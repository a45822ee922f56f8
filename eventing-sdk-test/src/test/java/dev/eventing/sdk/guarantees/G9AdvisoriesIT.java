package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G9: an outage of NATS is shown as one, and not as trouble with advisories, too. */
@ExtendWith(OutputCaptureExtension.class)
class G9AdvisoriesIT {

	private final NatsServer nats = NatsServer.start();

	private final World world = World.on(this.nats);

	@AfterEach
	void stop() {
		this.world.close();
		this.nats.close();
	}

	@Test
	void areNotMentionedInAnOutageOfNats(CapturedOutput output) {
		WorldApplication capturing = WorldApplication.of(new Accounts())
			.customize((context) -> context.registerBean(DeadLetterStreamOptions.class,
					() -> new DeadLetterStreamOptions(true, true)));
		try (AnnotationConfigApplicationContext application = this.world.start(capturing)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.nats.kill();
			await().until(() -> status(application).state() == ProjectorState.WAITING_FOR_NATS);
			Steady.holds("the status is silent about advisories", Duration.ofSeconds(10),
					() -> !status(application).detail().contains("which events JetStream gives up"));
			this.nats.restart();
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
		}
		assertThat(output).doesNotContain("which events JetStream gives up");
	}

	private static ProjectorStatus status(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR);
	}

}
