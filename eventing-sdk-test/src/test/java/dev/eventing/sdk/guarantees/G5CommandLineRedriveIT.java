package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An operator's command and the application that runs what it requests. */
class G5CommandLineRedriveIT {

	private static final int STAYS_PARKED = 4;

	private final AtomicBoolean broken = new AtomicBoolean(true);

	@AutoClose
	private final World world = World.create();

	@Test
	void followsTheRedriveThatTheApplicationRuns() throws Exception {
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("bad") && event.version() == 1 && this.broken.get()) {
				throw new Accounts.Refused();
			}
		});
		ProjectorSettings oneAttempt = ProjectorSettings.builder().maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(oneAttempt))) {
			this.world.publish(World.ACME, "bad", 1, 5);
			this.world.publish(World.ACME, "good", 1, 5);
			await().until(() -> this.world.count("select count(*) from eventing.dead_letters") == 5);
			await().until(() -> this.world.version(World.ACME, "good") == 5);
			assertThat(redrive()).isEqualTo(STAYS_PARKED);
			assertThat(this.world.version(World.ACME, "bad")).isZero();
			this.broken.set(false);
			assertThat(redrive()).isZero();
			assertThat(this.world.version(World.ACME, "bad")).isEqualTo(5);
			assertThat(this.world.version(World.ACME, "good")).isEqualTo(5);
			assertThat(this.world.count("select count(*) from violations")).isZero();
		}
	}

	private int redrive() throws IOException, InterruptedException {
		List<String> command = ChildJvm.eventing();
		command.addAll(List.of("dlq", "redrive", "--all", "--tenant", "acme", "--actor", "anna", "--yes", "--url",
				this.world.jdbcUrl(), "--user", "postgres"));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
		System.out.print(output);
		return process.exitValue();
	}

}
