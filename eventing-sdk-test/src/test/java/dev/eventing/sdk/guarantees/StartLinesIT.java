package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The log tells what a projector finds in its stream when it begins. */
@ExtendWith(OutputCaptureExtension.class)
class StartLinesIT {

	@AutoClose
	private final World world = World.create();

	@Test
	void tellWhereAProjectorBeginsAndHowManyEventsWait(CapturedOutput output) {
		this.world.publish(World.ACME, "a", 1, 3);
		for (String begins : new String[] { "after sequence 0: 3 events of its subjects wait there.",
				"after sequence 3: 0 events of its subjects wait there." }) {
			try (AnnotationConfigApplicationContext application = this.world
				.start(WorldApplication.of(new Accounts()))) {
				assertThat(application.isActive()).isTrue();
				await().until(() -> this.world.version(World.ACME, "a") == 3);
			}
			assertThat(output).containsOnlyOnce("Projector 'accounts' begins in stream '" + this.world.stream() + "' "
					+ begins + " The stream ends at sequence 3.");
		}
	}

	/** At a normal takeover nothing is wrong. After a stop in order, a lower floor is. */
	@ParameterizedTest
	@CsvSource({ "false, INFO, A process died before it saved its floor.",
			"true, WARN, 'The database was set back, or the durable was changed by hand.'" })
	void warnOfALowerFloorOnlyIfNoDeathExplainsIt(boolean cleanStop, String level, String why, CapturedOutput output) {
		this.world.publish(World.ACME, "a", 1, 3);
		for (int start = 0; start < 2; start++) {
			try (AnnotationConfigApplicationContext application = this.world
				.start(WorldApplication.of(new Accounts()))) {
				assertThat(application.isActive()).isTrue();
				await().until(() -> this.world.version(World.ACME, "a") == 3);
				await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			}
			this.world.jdbc().update("update eventing.projector_positions set floor = 1, clean_stop = ?", cleanStop);
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains("but the database has only 1.")))
			.singleElement()
			.asString()
			.contains(level, why, "The projector reads again after the lower one.");
	}

	/** The stream carries it, so nothing fails. */
	@Test
	void warnOfASubjectThatNothingHasBesideOthersThatBeginLikeIt(CapturedOutput output) {
		this.world.publish(World.ACME, "a", 1, 1);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Misspelt()))) {
			assertThat(application.isActive()).isTrue();
			await().untilAsserted(() -> assertThat(output).containsOnlyOnce(
					"Projector 'misspelt' listens to '" + this.world.root() + ".*.desposited', but stream '"
							+ this.world.stream() + "' has no event of it. It has events of '" + this.world.root()
							+ ".acme.deposited'. Consider the spelling of the subject"));
			assertThat(output).doesNotContain("listens to '" + this.world.root() + ".*.deposited'");
		}
	}

	/** Nothing is wrong with a new application. */
	@Test
	void haveOneInfoOfSubjectsWhoseEventsComeLater(CapturedOutput output) {
		this.world.publish(World.ACME, "a", 1, 1);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new New()))) {
			assertThat(application.isActive()).isTrue();
			await().untilAsserted(() -> assertThat(output.getOut().lines())
				.filteredOn((line) -> line.contains("Projector 'new' listens to '"))
				.singleElement()
				.asString()
				.contains("INFO", "listens to '" + this.world.root() + ".*.closed', '" + this.world.root()
						+ ".*.redeposited', of which stream '" + this.world.stream()
						+ "' has no event yet. It has others, such as '" + this.world.root() + ".acme.deposited'."));
		}
	}

	/** One of its subjects is nearly that of another of its handlers. */
	static class New {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "new")
		void deposited(Deposited event, UUID eventId, String tenantId) {
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.redeposited", projectorName = "new")
		void redeposited(Redeposited event, UUID eventId, String tenantId) {
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.closed", projectorName = "new")
		void closed(Closed event, UUID eventId, String tenantId) {
		}

	}

	record Redeposited(String account) {
	}

	record Closed(String account) {
	}

	static class Misspelt {

		@ProjectorEventHandler(subject = "${root}.{tenant}.desposited", projectorName = "misspelt")
		void misspelt(Deposited event, UUID eventId, String tenantId) {
			throw new IllegalStateException("Nothing is published there.");
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "spelt")
		void spelt(Deposited event, UUID eventId, String tenantId) {
		}

	}

}
