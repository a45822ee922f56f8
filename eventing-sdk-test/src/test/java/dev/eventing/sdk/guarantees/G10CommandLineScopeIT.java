package dev.eventing.sdk.guarantees;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An operator has parts of a read model rebuilt by commands. */
class G10CommandLineScopeIT extends ScopeSetup {

	private final OperatorCommands commands = new OperatorCommands(this.world);

	@Test
	void rebuildsWhatAnOperatorNames() throws Exception {
		String stream = this.world.storedStream("a1");
		Owned accounts = new Owned();
		accounts.refused.add("a2");
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).lease(Duration.ofSeconds(2)))) {
			await().until(() -> openLetters() == 3 && claims() == events() - 3);
			// a node reports what it runs beside what it applies
			await().until(() -> this.world.count("select count(*) from eventing.projector_nodes") == 1);
			accounts.refused.clear();
			this.world.jdbc().update("update account set total = 0 where account = 'a1'");
			assertThat(this.commands.projection(0, "rebuild", "--stream", stream, "--tenant", "acme", "--reason",
					"a bug in March", "--dry-run"))
				.contains(
						"Would rebuild of the read model of projector 'accounts' stream '" + stream
								+ "' of tenant 'acme', and leave the rest as it is.",
						"3 events would be applied again of");
			assertThat(this.commands.projection(0, "rebuild", "--stream", stream, "--tenant", "acme", "--reason",
					"a bug in March", "--watch"))
				.contains("3 events are applied again, 1 rows were deleted before");
			String letter = this.world.deadLetters(Accounts.PROJECTOR).get(0).letterId().toString();
			assertThat(
					this.commands.projection(0, "rebuild", "--keys-of-letters", letter, "--reason", "fixed", "--watch"))
				.contains("3 dead letters are resolved");
			assertThatTheReadModelIsExact(3);
			assertThat(this.commands.projection(0, "rebuild", "--tenant", "acme", "--reason", "once more", "--watch"))
				.contains("tenant 'acme': 21 events are applied again");
			assertThat(this.commands.projection(8, "rebuild", "--window", "2026-01-01T00:00:00Z..2026-01-02T00:00:00Z",
					"--reason", "a day", "--watch"))
				.contains("bucketLength = \"PT1H\"");
			assertThat(this.commands.projection(0, "show")).contains("rebuild of a part (the window");
			assertThat(this.commands.projection(2, "rebuild", "--stream", stream, "--reason", "r"))
				.contains("Streams belong to a tenant.");
			assertThat(this.commands.projection(2, "rebuild", "--tenant", "acme", "--rate", "5", "--reason", "r"))
				.contains("--rate, --max-size and --until are for a build beside the live generation.");
			assertThatTheReadModelIsExact(3);
		}
	}

}
