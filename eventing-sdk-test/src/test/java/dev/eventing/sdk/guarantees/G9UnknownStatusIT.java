package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: a status that the SDK does not know ends a request for deliveries. The next request
 * would be answered in the same way, at once.
 */
@ExtendWith(OutputCaptureExtension.class)
class G9UnknownStatusIT {

	private static final String PROBLEM = "rejects requests: 418 Of Tomorrow";

	@AutoClose
	private final World world = World.create();

	@Test
	void pausesAfterAnUnknownClientErrorAndGoesOnWhenItIsGone(CapturedOutput output) {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			try (StatusAnswers tomorrow = new StatusAnswers(this.world.natsUrl(),
					this.world.stream() + "." + Accounts.PROJECTOR + "-consumer", "418 Of Tomorrow")) {
				await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.FAILED);
				assertThat(World.status(application, Accounts.PROJECTOR).detail()).contains(PROBLEM);
				Steady.holds("one request", Duration.ofSeconds(5), () -> tomorrow.requests() == 1);
				await().until(() -> tomorrow.requests() == 3);
			}
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			assertThat(output.getOut().lines().filter((line) -> line.contains(PROBLEM))).hasSize(1);
		}
	}

}
