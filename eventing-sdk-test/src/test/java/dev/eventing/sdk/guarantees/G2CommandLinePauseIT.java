package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An operator's commands and the application whose projector they stop. */
class G2CommandLinePauseIT {

	private static final int TOO_MUCH = 7;

	@AutoClose
	private final World world = World.create();

	@Test
	void pausesTheProjectorOfARunningApplicationAndLetsItGoOn() throws Exception {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			await().until(() -> this.world.count("select count(*) from eventing.projector_nodes") == 1);
			assertThat(
					projector("pause", Accounts.PROJECTOR, "--actor", "anna", "--reason", "a look at the read model"))
				.isZero();
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).state())
				.isEqualTo(ProjectorState.PAUSED));
			this.world.publish(World.ACME, "a", 3, 9);
			await().pollInterval(Duration.ofSeconds(1))
				.untilAsserted(() -> assertThat(projector("lag", Accounts.PROJECTOR, "--max-events", "5"))
					.isEqualTo(TOO_MUCH));
			assertThat(projector("list")).isZero();
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(2);
			assertThat(projector("resume", Accounts.PROJECTOR, "--actor", "anna")).isZero();
			await().until(() -> this.world.version(World.ACME, "a") == 9);
			await().pollInterval(Duration.ofSeconds(1))
				.untilAsserted(() -> assertThat(projector("lag", Accounts.PROJECTOR, "--max-events", "5")).isZero());
			assertThat(this.world.count("select count(*) from violations")).isZero();
		}
	}

	private int projector(String... arguments) throws IOException, InterruptedException {
		List<String> command = ChildJvm.eventing();
		command.add("projector");
		command.addAll(List.of(arguments));
		command.addAll(List.of("--url", this.world.jdbcUrl(), "--user", "postgres"));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
		System.out.println("$ eventing projector " + String.join(" ", arguments));
		System.out.print(output);
		return process.exitValue();
	}

}
