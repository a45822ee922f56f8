package dev.eventing.sdk.guarantees;

import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G18: a backfill applies each earlier event of its types once, in the order of its key,
 * to the live read model, beside the live feed.
 */
class G18BackfillIT extends BackfillSetup {

	@Test
	void appliesTheEventsOfANewTypeThatWereSkipped() {
		appendBoth(1, 30);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			ProjectionRequest request = backfill(BackfillOptions.ofTypes(List.of(NOTED)));
			awaitDone(request);
			assertThatAllAreIn("noted", 30);
			assertThat(this.world.count("select count(*) from tally")).as("deposits were applied before").isZero();
			assertThat(settled(request)).isEqualTo(30L * NAMES);
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(60L * NAMES);
			assertThat(this.projectors.audit(Accounts.PROJECTOR)).extracting(ProjectionAuditEntry::action)
				.containsExactly(ProjectionAction.BACKFILL_REQUESTED, ProjectionAction.BACKFILL_BEGUN,
						ProjectionAction.BACKFILLED);
			for (int account = 0; account < NAMES; account++) {
				note("a" + account, 31);
			}
			await().until(this::isAtHead);
			assertThatAllAreIn("noted", 31);
			awaitDone(backfill(BackfillOptions.ofTypes(List.of(NOTED))));
			assertThatAllAreIn("noted", 31);
			assertThatNothingIsLeft();
		}
	}

	@Test
	void runsOneHandlerOnceMoreForEventsThatWereApplied() {
		appendBoth(1, 30);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			ProjectionRequest request = backfill(BackfillOptions.ofHandler("tally"));
			awaitDone(request);
			assertThatAllAreIn("tally", 30);
			assertThat(this.world.count("select count(*) from noted")).as("the other handler did not run").isZero();
			assertThat(this.world.count("select count(*) from account where version = 30")).isEqualTo(NAMES);
			for (int account = 0; account < NAMES; account++) {
				deposit("a" + account, 31);
			}
			await().until(this::isAtHead);
			assertThatAllAreIn("tally", 31);
			assertThatNothingIsLeft();
		}
	}

	@Test
	void endsAtAPositionThatTheOperatorNames() {
		appendBoth(1, 10);
		long to = head();
		appendBoth(11, 20);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			awaitDone(backfill(BackfillOptions.ofHandler("Next.tally").to(to)));
			assertThatAllAreIn("tally", 10);
			awaitDone(backfill(BackfillOptions.ofTypes(List.of(NOTED)).to(to)));
			assertThatAllAreIn("noted", 10);
		}
	}

	/** The live feed continues, up to the first later event of the types. */
	@Test
	void letsNoLaterEventOfItsTypesOvertakeAnEarlierOne() {
		appendBoth(1, 20);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			ProjectionRequest request = backfill(BackfillOptions.ofTypes(List.of(NOTED)).rate(15));
			await().until(() -> find(request).state().status() == Status.RUNNING);
			for (int account = 0; account < NAMES; account++) {
				// as if its first event had been applied
				count(this.world.jdbc(), "tally", "acme", "a" + account, 1);
				deposit("a" + account, 2);
			}
			await().until(() -> this.world.count("select count(*) from tally where version = 2") == NAMES);
			long before = head();
			for (int account = 0; account < NAMES; account++) {
				note("a" + account, 21);
				deposit("a" + account, 3);
			}
			await().until(() -> World.status(application, Accounts.PROJECTOR)
				.detail()
				.contains("; events wait for it from position " + (before + 1) + " on"));
			assertThat(find(request).state().status()).isEqualTo(Status.RUNNING);
			assertThat(this.world.count("select count(*) from tally where version = 3")).isZero();
			assertThat(this.world.count("select count(*) from noted where version > 20")).isZero();
			awaitDone(request);
			await().until(this::isAtHead);
			assertThatAllAreIn("noted", 21);
			assertThatAllAreIn("tally", 3);
		}
	}

	/** The letter of a later event would park the earlier ones of its key. */
	@Test
	void letsNoLaterEventThatCannotBeReadOvertakeAnEarlierOne() {
		appendBoth(1, 20);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			ProjectionRequest request = backfill(BackfillOptions.ofTypes(List.of(NOTED)).rate(15));
			await().until(() -> find(request).state().status() == Status.RUNNING);
			this.world.jdbc().execute("""
					create function spoil() returns trigger language plpgsql as $$
					begin
					  new.metadata = '{"headers": 1}';
					  return new;
					end $$;
					create trigger spoil before insert on eventing.events for each row execute function spoil()""");
			note("a0", 21);
			this.world.jdbc().execute("drop trigger spoil on eventing.events");
			await().until(() -> World.status(application, Accounts.PROJECTOR)
				.detail()
				.contains("; events wait for it from position " + head() + " on"));
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
			awaitDone(request);
			assertThatAllAreIn("noted", 20);
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			assertThatAllAreIn("noted", 20);
		}
	}

	@Test
	void goesOnWhereItStoodWhenItWasPausedOrItsNodeStopped() {
		appendBoth(1, 40);
		applyWithFormer();
		ProjectionRequest request;
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			request = backfill(BackfillOptions.ofHandler("note").rate(40));
			await().until(() -> this.world.count("select sum(runs) from noted") > 20);
			this.projectors.pause(Accounts.PROJECTOR, "anna", REASON);
			// first the state: at its rate it often has nothing in flight before it rests
			await().until(() -> World.status(application, Accounts.PROJECTOR).state().name().equals("PAUSED")
					&& World.status(application, Accounts.PROJECTOR).inFlight() == 0);
			await().until(() -> settled(request(Status.RUNNING)) == this.world.count("select sum(runs) from noted"));
			long before = settled(request(Status.RUNNING));
			assertThat(find(request).state().progress()).satisfies((progress) -> {
				assertThat(progress.percent()).isBetween(1, 99);
				assertThat(progress.timeLeft()).isNotNull();
			});
			assertThat(this.world.count("select sum(runs) from noted")).isEqualTo(before);
			this.projectors.resume(Accounts.PROJECTOR, "anna", REASON);
			await().until(() -> this.world.count("select sum(runs) from noted") > before + 10);
		}
		assertThat(find(request).state().status()).isEqualTo(Status.RUNNING);
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			awaitDone(request);
			assertThatAllAreIn("noted", 40);
			assertThat(settled(request)).isEqualTo(40L * NAMES);
			assertThatNothingIsLeft();
		}
	}

	private ProjectionRequest request(Status status) {
		return this.operators.lastRequest(Accounts.PROJECTOR)
			.filter((last) -> last.state().status() == status)
			.orElseThrow();
	}

	@Test
	void stopsSoonAfterItWasCancelledAndKeepsWhatItHasApplied() {
		appendBoth(1, 40);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			ProjectionRequest request = backfill(BackfillOptions.ofTypes(List.of(NOTED)).rate(20));
			await().until(() -> this.world.count("select count(*) from noted") > 0);
			for (int account = 0; account < NAMES; account++) {
				count(this.world.jdbc(), "tally", "acme", "a" + account, 1);
				note("b" + account, 1);
				deposit("a" + account, 2);
			}
			assertThat(this.operators.cancel(Accounts.PROJECTOR, "anna", REASON)).isTrue();
			await().until(this::isAtHead);
			assertThat(find(request).state().status()).isEqualTo(Status.CANCELLED);
			assertThat(settled(request)).isBetween(1L, 40L * NAMES - 1);
			this.world.jdbc().update("delete from noted where account like 'b%'");
			awaitDone(backfill(BackfillOptions.ofTypes(List.of(NOTED))));
			assertThatAllAreIn("noted", 40);
		}
	}

	/** A letter of a backfill is like any other of the projector. */
	@Test
	void makesADeadLetterOfAnEventThatFailsWhoseRedriveAppliesItsKeyInOrder() {
		appendBoth(1, 20);
		applyWithFormer();
		Next accounts = new Next();
		accounts.refused.add("tally a1 5");
		accounts.refused.add("note a2 6");
		try (AnnotationConfigApplicationContext application = startNext(accounts)) {
			awaitDone(backfill(BackfillOptions.ofHandler("tally")));
			awaitDone(backfill(BackfillOptions.ofTypes(List.of(NOTED))));
			assertThat(this.world.count("select version from tally where account = 'a1'")).isEqualTo(4);
			assertThat(this.world.count("select version from noted where account = 'a2'")).isEqualTo(5);
			assertThat(this.world.count("select count(*) from tally where version = 20")).isEqualTo(NAMES - 1);
			accounts.refused.clear();
			this.world.operators()
				.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "anna"));
			await().until(() -> this.world
				.count("select count(*) from eventing.dead_letters where status in ('PARKED', 'REDRIVING')") == 0);
			assertThatAllAreIn("tally", 20);
			assertThatAllAreIn("noted", 20);
			assertThatNothingIsLeft();
		}
	}

}
