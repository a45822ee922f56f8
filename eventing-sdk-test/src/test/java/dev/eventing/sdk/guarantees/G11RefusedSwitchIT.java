package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ledger.SwitchLedger;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: a switch that cannot be made changes nothing, and its request names the reason.
 */
class G11RefusedSwitchIT extends BesideSetup {

	/** It meets them while readers see the live one, which has settled more. */
	@Test
	void refusesWhereAnEventFailsThatTheNextGenerationMeetsInTheLastMoment() {
		Stored accounts = new Stored();
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions("public", 3);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			accounts.waitsBeside.put("a0", new CountDownLatch(1));
			this.world.append(World.ACME, "a0", 4, 4);
			String other = accountOfAnotherLane();
			requestSwitch(2);
			AtomicLong version = new AtomicLong(1);
			await().until(() -> {
				long next = version.incrementAndGet();
				this.world.append(World.ACME, other, next, next);
				await().until(() -> this.world.version(World.ACME, other) == next);
				return versionBeside(other) < next - 10; // it comes to rest for the
															// switch
			});
			accounts.refusedBeside.add("late");
			this.world.append(World.ACME, "late", 1, 1);
			await().until(() -> this.world.version(World.ACME, "late") == 1);
			accounts.waitsBeside.remove("a0").countDown();
			await().until(() -> status() != Status.PENDING);
			assertThat(detail())
				.startsWith("1 events of the live generation are dead letters of generation 2. Correct the handler");
			assertThat(this.world.count("select count(*) from eventing.projection_requests where hold_at is not null"))
				.isEqualTo(1);
			assertThat(this.world.version(World.ACME, "late")).isEqualTo(1);
			retire(2);
			assertThatNothingIsLeft();
		}
	}

	/** An account whose events do not wait behind a0's: keys differ from run to run. */
	private String accountOfAnotherLane() {
		for (int account = 0; account < 20; account++) {
			this.world.append(World.ACME, "other" + account, 1, 1);
		}
		return await()
			.until(() -> IntStream.range(0, 20)
				.mapToObj((account) -> "other" + account)
				.filter((account) -> versionBeside(account) == 1)
				.findFirst(), Optional::isPresent)
			.orElseThrow();
	}

	private long versionBeside(String account) {
		return this.world
			.count("select coalesce(max(version), 0) from accounts_g2.account where account = '" + account + "'");
	}

	/** Nothing is dropped that is not the generation's, and no reader waits for it. */
	@Test
	void refusesWhereSomethingElseLiesInTheSchema() {
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions("public", 3);
			ProjectorRegistry registry = application.getBean(ProjectorRegistry.class);
			registry.stop();
			registry.start();
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			this.world.jdbc().execute("create table accounts_g2.notes (note text)");
			requestSwitch(2);
			await().until(() -> status() == Status.FAILED);
			assertThat(detail()).contains("notes");
			this.operators.retire(Accounts.PROJECTOR, 2, "anna", REASON, Patience.LONG);
			await().until(() -> status() == Status.FAILED);
			assertThat(detail()).contains("notes");
			this.world.jdbc().execute("drop table accounts_g2.notes");
			this.world.jdbc().execute("alter table account add column note text");
			requestSwitch(2);
			await().until(() -> status() == Status.FAILED);
			assertThat(detail())
				.startsWith("Readers would lose columns: in generation 2 column 'note' of table 'account'");
			appendAll(4, 4);
			awaitVersions("public", 4);
			awaitVersions("accounts_g2", 4);
			retire(2);
			assertThatNothingIsLeft();
		}
	}

	/** It has settled more than the next generation shows. */
	@Test
	void isNotMadeWhereAnotherOwnerHoldsTheLiveOneElsewhere() {
		this.world.jdbc()
			.update("insert into eventing.lease_epochs (lease_name, epoch) values ('projector/accounts', 1)");
		long request = this.world
			.count("""
					insert into eventing.projection_requests (projection_name, action, generation, actor, reason, expires_at)
					values ('accounts', 'SWITCH', 2, 'anna', 'a test', now() + interval '1 minute') returning request_id""");
		SwitchLedger switches = new SwitchLedger(this.world.jdbc(), EventingSchema.defaults());
		switches.ask(request, 100, Patience.LONG.toMillis());
		assertThat(switches.hold(Accounts.PROJECTOR, 99, 1)).isEmpty();
		assertThat(switches.hold(Accounts.PROJECTOR, 100, 1)).contains(request);
		SwitchLedger.Held held = switches.held(request).orElseThrow();
		assertThat(switches.keepHeld(request, held, "projector/accounts")).isTrue();
		this.world.jdbc().update("update eventing.lease_epochs set epoch = 2 where lease_name = 'projector/accounts'");
		assertThat(switches.keepHeld(request, held, "projector/accounts")).isFalse();
		assertThat(switches.hold(Accounts.PROJECTOR, 150, 2)).contains(request);
		assertThat(switches.keepHeld(request, held, "projector/accounts")).isFalse();
		assertThat(switches.keepHeld(request, switches.held(request).orElseThrow(), "projector/accounts")).isTrue();
	}

	@Test
	void givesUpAndNamesWhoStandsInTheWay() {
		appendAll(1, 3);
		Stored accounts = new Stored();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions("public", 3);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			this.world.whileHolding("lock table account in access share mode", () -> {
				requestSwitch(2);
				await().until(() -> status() == Status.FAILED);
				assertThat(detail()).startsWith("The tables are in use: pid ");
			});
			this.world.whileHolding("set transaction isolation level repeatable read; select 1", () -> {
				requestSwitch(2);
				await().until(() -> status() == Status.FAILED);
				assertThat(detail()).startsWith("Readers may see less than they saw: old snapshots are held by pid ");
			});
			accounts.unavailable.add("a0");
			appendAll(4, 4);
			await().until(() -> this.world.version(World.ACME, "a6") == 4);
			requestSwitch(2);
			await().until(() -> status() == Status.FAILED || detail().startsWith("Not all events"));
			this.operators.cancel(Accounts.PROJECTOR, "anna", REASON);
			accounts.unavailable.clear();
			appendAll(5, 5);
			awaitVersions("public", 5);
			awaitVersions("accounts_g2", 5);
			assertThat(overview("live").generation().number()).isEqualTo(1);
			switchTo(2);
			assertThatTheReadModelIsExact("public", 5);
		}
	}

	/** The switch is not made, and the next owner continues. */
	@Test
	void letsANodeStopAtOnceThatHoldsTheLiveGeneration() {
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions("public", 3);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			this.world.whileHolding("lock table account in access share mode", () -> {
				requestSwitch(2);
				await().until(() -> this.world
					.count("select count(*) from eventing.projection_requests where held_at is not null") == 1);
				Stopwatch.time(() -> application.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR))
					.assertWithin(Duration.ofSeconds(2));
				assertThat(this.world.count("""
						select count(*) from eventing.leases
						 where lease_name = 'projector/accounts' and expires_at > now()""")).isZero();
			});
			application.getBean(ProjectorRegistry.class).start(Accounts.PROJECTOR);
			await().until(() -> status() == Status.FAILED);
			assertThat(detail()).startsWith("The live generation is not held any more.");
			appendAll(4, 4);
			awaitVersions("public", 4);
			assertThatTheReadModelIsExact("public", 4);
		}
	}

	/** A node that has not looked since would wait for an owner in vain. */
	@Test
	void refusesASwitchThatWasRequestedJustBeforeTheTimeWasOver() {
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions("public", 3);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			switchTo(2);
			this.world.jdbc().update("update eventing.projections set status = 'STALE' where generation = 1");
			this.world.jdbc()
				.update("""
						insert into eventing.projection_requests (projection_name, action, generation, actor, reason, expires_at)
						values ('accounts', 'SWITCH', 1, 'anna', 'a test', now() + interval '1 minute')""");
			await().until(() -> status() == Status.FAILED);
			assertThat(detail()).isEqualTo("Generation 1 is STALE. Retire it, and build another.");
			retire(1);
			assertThatNothingIsLeft();
		}
	}

}
