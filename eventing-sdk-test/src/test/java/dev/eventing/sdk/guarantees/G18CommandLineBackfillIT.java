package dev.eventing.sdk.guarantees;

import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An operator applies the events of a new handler, with the commands in the jar. */
class G18CommandLineBackfillIT extends BackfillSetup {

	private final OperatorCommands commands = new OperatorCommands(this.world);

	@Test
	void appliesSkippedEventsAndThenThoseOfOneHandlerOnceMore() throws Exception {
		appendBoth(1, 20);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			await().until(() -> this.world.count("select count(*) from eventing.projector_nodes") == 1);
			assertThat(this.commands.projection(0, "backfill", "--types", NOTED, "--reason", "notes", "--dry-run"))
				.startsWith(
						"Would apply events of noted up to position 280, or later, in the live read model of projector"
								+ " 'accounts'.")
				.contains("140 events of type 'noted' are stored.");
			assertThat(this.world.count("select count(*) from eventing.projection_requests")).isZero();
			assertThat(this.commands.projection(2, "backfill", "--reason", "notes"))
				.contains("A backfill needs types of events, or a handler.");
			assertThat(this.commands.projection(0, "backfill", "--types", NOTED, "--reason", "notes", "--watch"))
				.contains("A backfill of the live read model of projector 'accounts' is requested.")
				.contains("Done for projector 'accounts'. 140 events of noted are applied, up to position 280.");
			assertThatAllAreIn("noted", 20);
			assertThat(this.commands.projection(8, "backfill", "--handler", "other", "--reason", "?", "--watch"))
				.contains("Not done: ", "It has no handler 'other'");
			this.commands.projection(0, "backfill", "--handler", "tally", "--rate", "3", "--reason", "a new column");
			await().until(() -> this.world.count("select count(*) from tally") > 0);
			assertThat(this.commands.projection(0, "show")).contains("backfill by anna")
				.containsPattern("RUNNING\\. \\d+ events, position \\d+ of 280");
			this.commands.projection(0, "cancel", "--reason", "too slow");
			assertThat(this.commands.projection(0, "show")).contains("CANCELLED. cancelled by anna: too slow");
			assertThat(this.commands.projection(0, "audit")).contains("BACKFILL_REQUESTED", "BACKFILL_BEGUN",
					"BACKFILLED", "BACKFILL_FAILED", "REQUEST_CANCELLED");
		}
	}

}
