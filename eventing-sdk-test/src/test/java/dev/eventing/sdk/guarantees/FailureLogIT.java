package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The log has the reason why a handler failed. */
@ExtendWith(OutputCaptureExtension.class)
class FailureLogIT {

	@AutoClose
	private final World world = World.create();

	/** It writes to a table that does not exist. */
	private final Accounts accounts = new Accounts(
			(event) -> this.world.jdbc().update("insert into forgotten values (1)"));

	@Test
	void namesTheMissingTableAtTheFirstFailureAndTheLetterAtTheLast(CapturedOutput output) {
		ProjectorSettings thrice = ProjectorSettings.builder().maxDeliver(3).retryDelay(Duration.ofMillis(200)).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(this.accounts).with(thrice))) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 1);
			await().untilAsserted(() -> {
				List<String> failures = lines(output, "'accounts' failed on event ");
				assertThat(failures).hasSize(2);
				assertThat(failures.get(0)).contains("BadSqlGrammarException", "relation \"forgotten\" does not exist",
						"at " + FailureLogIT.class.getName(), "Attempt 1 of 3; the next one is in ");
				assertThat(failures.get(0)).doesNotContain("PT0").matches(".* is in \\d+ ms\\.$");
				assertThat(failures.get(1)).contains("BadSqlGrammarException").doesNotContain("forgotten");
				assertThat(this.world.deadLetters(Accounts.PROJECTOR)).hasSize(1);
				String letter = this.world.deadLetters(Accounts.PROJECTOR).get(0).letterId().toString();
				assertThat(lines(output, "'accounts' gives up event ")).singleElement()
					.asString()
					.contains("relation \"forgotten\" does not exist", "dead letter '" + letter + "'",
							"'eventing dlq show " + letter + "'");
			});
		}
	}

	/** Then no line of the application is in the stack. */
	@Test
	void namesTheHandlerAndTheCommitWhereHibernateFlushesAfterTheHandler(CapturedOutput output) {
		this.world.jdbc()
			.execute("create table balance (account text primary key, total bigint not null check (total < 50))");
		ProjectorSettings once = ProjectorSettings.builder().maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = this.world.start(
				WorldApplication.of(new JpaProjectorIT.Balances()).with(once).customize(JpaProjectorIT::throughJpa))) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(this.world.deposit(World.ACME, "bad", 60));
			await().untilAsserted(() -> assertThat(lines(output, "'balances' gives up event ")).singleElement()
				.asString()
				.contains("caused by org.postgresql.util.PSQLException: ERROR: new row for relation \"balance\"",
						"at the commit after handler Balances.on(")
				.doesNotContain("SupervisedWorker", "(bad, 60)"));
			assertThat(message("balances"))
				.contains("violates check constraint", "caused by org.postgresql.util.PSQLException",
						", at the commit after handler Balances.on(")
				.doesNotContain("(bad, 60)");
			this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "test"));
			await().untilAsserted(() -> assertThat(lines(output, "cannot redrive dead letter")).singleElement()
				.asString()
				.contains("at the commit after handler Balances.on("));
			assertThat(message("balances")).contains(", at the commit after handler Balances.on(");
		}
	}

	private String message(String projector) {
		Failure failure = this.world.deadLetters(projector).get(0).failure();
		return (failure != null) ? String.valueOf(failure.message()) : "";
	}

	@Test
	void theLetterHasTheMessageOfTheDatabaseBehindThatOfTheFramework() {
		ProjectorSettings once = ProjectorSettings.builder().maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(this.accounts).with(once))) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			assertThat(message(Accounts.PROJECTOR)).contains("bad SQL grammar [insert into forgotten values (1)],"
					+ " caused by org.postgresql.util.PSQLException: ERROR: relation \"forgotten\" does not exist");
		}
	}

	@Test
	void namesItWhenARedriveFails(CapturedOutput output) {
		ProjectorSettings once = ProjectorSettings.builder().maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(this.accounts).with(once))) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "test"));
			await().untilAsserted(() -> assertThat(lines(output, "cannot redrive dead letter")).singleElement()
				.asString()
				.contains("relation \"forgotten\" does not exist"));
		}
	}

	@Test
	void hasNoMessagesWhereTheyAreSwitchedOff(CapturedOutput output) {
		ProjectorSettings once = ProjectorSettings.builder().maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(this.accounts)
			.with(once)
			.customize((context) -> context.registerBean(ProjectorRuntime.class,
					() -> new ProjectorRuntime(ProjectorRuntime.DEFAULT_DRAIN_TIMEOUT, Thread::new,
							ProjectorRuntime.DEFAULT_STANDBY_LIMIT, false))))) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 1);
			await().untilAsserted(() -> assertThat(lines(output, "'accounts' gives up event ")).singleElement()
				.asString()
				.contains("BadSqlGrammarException", "at " + FailureLogIT.class.getName())
				.doesNotContain("does not exist"));
		}
	}

	private static List<String> lines(CapturedOutput output, String part) {
		return output.getOut().lines().filter((line) -> line.contains(part)).toList();
	}

}
