package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G13: a backfill applies no event twice because rows of {@code processed_events} grow
 * old while it lasts.
 */
class G18PrunedBackfillIT extends PrunedBackfillSetup {

	@Test
	void appliesNoEventTwiceWhoseRowGrowsOldMeanwhile() {
		appendBoth(1, 20);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = this.world.start(pruning(new Next()))) {
			ProjectionRequest request = backfill(BackfillOptions.ofTypes(List.of(NOTED, DEPOSITED)).rate(25));
			await().until(() -> find(request).state().status() == Status.RUNNING);
			this.ahead = Duration.ofDays(8);
			awaitDone(request);
			assertThat(this.world.count("select count(*) from tally")).as("deposits were applied before").isZero();
			assertThatAllAreIn("noted", 20);
			await("rows are pruned after it")
				.until(() -> this.world.count("select count(*) from eventing.processed_events") == 0);
		}
	}

	/** Nobody needs a row of an event for which there was no handler. */
	@Test
	void appliesTheEventsOfATypeThatNoVersionHandledThoughRowsArePruned() {
		appendBoth(1, 20);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = this.world.start(pruning(new Next()))) {
			prune();
			assertThat(failed(List.of(NOTED, DEPOSITED))).contains("are pruned",
					"Handlers may have taken events of type 'Deposited' after position 0.");
			awaitDone(backfill(BackfillOptions.ofTypes(List.of(NOTED))));
			assertThatAllAreIn("noted", 20);
			awaitDone(backfill(BackfillOptions.ofTypes(List.of(NOTED))));
			assertThatAllAreIn("noted", 20);
			prune();
			assertThat(failed(List.of(NOTED))).contains("An earlier backfill of these types has applied some.");
			assertThatAllAreIn("noted", 20);
			assertThat(this.world.count("select count(*) from tally")).as("deposits were applied before").isZero();
		}
	}

	@Test
	void appliesTheEventsFromBeforeTheHandlerOnlyOnceItHasTakenOthers() {
		appendBoth(1, 20);
		applyWithFormer();
		long before = head();
		try (AnnotationConfigApplicationContext application = this.world.start(pruning(new Next()))) {
			// as if its first note had been applied
			count(this.world.jdbc(), "noted", "acme", "b", 1);
			note("b", 2);
			await().until(this::isAtHead);
			prune();
			assertThat(failed(List.of(NOTED)))
				.contains("Handlers may have taken events of type 'noted' after position " + before + ".");
			awaitDone(backfill(BackfillOptions.ofTypes(List.of(NOTED)).to(before)));
			assertThat(this.world.count("select count(*) from noted where version = 20 and runs = 20"))
				.isEqualTo(NAMES);
			assertThat(this.world.count("select runs from noted where account = 'b'")).isEqualTo(2);
			assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		}
	}

}
