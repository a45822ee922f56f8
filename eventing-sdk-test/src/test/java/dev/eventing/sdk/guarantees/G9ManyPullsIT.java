package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;

import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: a hundred projectors pull over one connection, and whatever they all do at once,
 * the connection stands.
 */
@Tag("crash")
@ExtendWith(OutputCaptureExtension.class)
class G9ManyPullsIT {

	private static final int PROJECTORS = 100;

	private static final int ACCOUNTS = 20;

	private static final int ROUNDS = 5;

	private static final int PAUSES = 2;

	/** There are eight connections for three hundred threads. */
	private static final Duration PATIENCE = Patience.LONG;

	@AutoClose
	private final World world = World.create();

	@Test
	void keepTheirConnectionInABurstWhileTheyPauseAndWhenTheyStop(CapturedOutput output) {
		int before = output.getAll().length();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(ManyHandlers.of(PROJECTORS)).connectionTimeout(PATIENCE))) {
			ProjectorRegistry projectors = application.getBean(ProjectorRegistry.class);
			NatsClient nats = application.getBean(NatsClient.class);
			long connection = nats.generation();
			publishRounds(1, ROUNDS);
			awaitApplied(projectors, ROUNDS);
			assertThat(sum(projectors, (one) -> one.counts().duplicates())).as("duplicates").isZero();
			for (int round = ROUNDS + 1; round <= ROUNDS + PAUSES; round++) {
				publishRounds(round, round);
				names(projectors).forEach(projectors::pause);
				await()
					.until(() -> projectors.status().stream().allMatch((one) -> one.state() == ProjectorState.PAUSED));
				names(projectors).forEach(projectors::resume);
			}
			awaitApplied(projectors, ROUNDS + PAUSES);
			projectors.stop();
			assertThat(nats.generation()).as("connections and reconnections").isEqualTo(connection);
		}
		assertThat(complaints(output, before)).isEmpty();
	}

	private void publishRounds(int from, int to) {
		for (int account = 0; account < ACCOUNTS; account++) {
			this.world.publish(World.ACME, "a" + account, from, to);
		}
	}

	private static void awaitApplied(ProjectorRegistry projectors, long rounds) {
		await().atMost(Patience.PROCESS)
			.until(() -> sum(projectors, (one) -> one.counts().processed()) == PROJECTORS * ACCOUNTS * rounds
					&& sum(projectors, ProjectorStatus::inFlight) == 0);
	}

	private static List<String> names(ProjectorRegistry projectors) {
		return projectors.status().stream().map(ProjectorStatus::projector).toList();
	}

	private static long sum(ProjectorRegistry projectors, ToLongFunction<ProjectorStatus> value) {
		return projectors.status().stream().mapToLong(value).sum();
	}

	/** A machine that has much to do may let a request wait, which is said and mended. */
	private static List<String> complaints(CapturedOutput output, int from) {
		return output.getAll()
			.substring(from)
			.lines()
			.filter((line) -> line.contains(" ERROR ") || line.contains("is lost"))
			.toList();
	}

}
