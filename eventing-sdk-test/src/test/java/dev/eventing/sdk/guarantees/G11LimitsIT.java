package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ledger.ControlLedger;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: what operators and other sessions do to a switch at the wrong moment ends it with
 * a reason, and concerns neither generation.
 */
class G11LimitsIT {

	/** Keeps a switch from its tables, and nothing else, for as long as it is tried. */
	private static final String HOLD_UP = "lock table violations in access share mode";

	@AutoClose
	private final World world = World.create();

	private final Generations generations = new Generations(this.world, Accounts.PROJECTOR);

	/** The owner would begin again and again, and the request would wait in vain. */
	@Test
	void refusesWhereALiveTableIsGone() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 3);
			this.generations.build();
			this.world.jdbc().execute("alter table violations rename to others");
			this.generations.requestSwitch(2);
			this.generations.awaitEnd();
			assertThat(this.generations.status()).isEqualTo(Status.FAILED);
			assertThat(this.generations.detail()).startsWith("Table 'violations' does not exist on the search_path.");
			this.world.append(World.ACME, "a", 4, 4);
			awaitVersion("public", 4);
			awaitVersion("accounts_g2", 4);
			this.world.jdbc().execute("alter table others rename to violations");
			switchAndBackAndRetire();
		}
	}

	@Test
	void refusesWhereTheLiveTablesAreNotOnTheSearchPathAnyMore() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 3);
			this.generations.build();
			this.world.setDefault("search_path", "elsewhere");
			application.getBean(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
			this.generations.requestSwitch(2);
			this.generations.awaitEnd();
			assertThat(this.generations.status()).isEqualTo(Status.FAILED);
			this.world.setDefault("search_path", "public");
			application.getBean(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
			this.world.append(World.ACME, "a", 4, 4);
			awaitVersion("public", 4);
			switchAndBackAndRetire();
		}
	}

	/** Readers of the column would find a table without it. */
	@Test
	void refusesWhereALiveTableGetsAColumnWhileTheSwitchIsTried() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 3);
			this.generations.build();
			this.world.whileHolding(HOLD_UP, () -> {
				this.generations.requestSwitch(2);
				this.generations.awaitHeld();
				alterWhileOthersLock("alter table account add column note text");
			});
			this.generations.awaitEnd();
			assertThat(this.generations.status()).as(this.generations.detail()).isEqualTo(Status.FAILED);
			assertThat(this.generations.detail()).startsWith("The live tables were changed meanwhile: ");
			assertThat(this.world.count("select count(note) from account")).isZero();
			this.world.append(World.ACME, "a", 4, 4);
			awaitVersion("public", 4);
			this.generations.retire(2);
			this.generations.assertThatNothingIsLeft();
		}
	}

	/** A roll back would find more in it than the former generation, and be refused. */
	@Test
	void refusesWhereTheSchemaOfTheFormerGenerationIsSomebodyElses() {
		this.world.append(World.ACME, "a", 1, 3);
		this.world.jdbc().execute("create schema accounts_g1; create table accounts_g1.notes (note text)");
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 3);
			this.generations.build();
			this.generations.requestSwitch(2);
			this.generations.awaitEnd();
			assertThat(this.generations.detail()).isEqualTo(
					"The live tables are to go to schema 'accounts_g1', which exists already. Drop it, or give it"
							+ " another name.");
			this.world.jdbc().execute("alter schema accounts_g1 rename to notes");
			switchAndBackAndRetire();
		}
	}

	@Test
	void changesNothingIfTheRequestIsCancelledWhileItIsServed() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 3);
			this.generations.build();
			this.world.whileHolding(HOLD_UP, () -> {
				this.generations.requestSwitch(2);
				this.generations.awaitHeld();
				assertThat(this.generations.cancel()).isTrue();
				this.world.append(World.ACME, "a", 4, 4);
				awaitVersion("public", 4);
			});
			awaitVersion("accounts_g2", 4);
			assertThat(this.generations.status()).isEqualTo(Status.CANCELLED);
			assertThat(this.generations.live()).isEqualTo(1);
			switchAndBackAndRetire();
		}
	}

	/** Whatever becomes of the switch, events continue when the pause is over. */
	@Test
	void goesOnAfterAPauseThatBeganInAHold() {
		ControlLedger controls = new ControlLedger(this.world.jdbc().getDataSource(), EventingSchema.defaults());
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 3);
			this.generations.build();
			this.world.whileHolding(HOLD_UP, () -> {
				this.generations.requestSwitch(2);
				this.generations.awaitHeld();
				controls.pause(Accounts.PROJECTOR, "anna", "a test");
				this.world.append(World.ACME, "a", 4, 4);
			});
			this.generations.awaitEnd();
			await().until(() -> state(application) == ProjectorState.PAUSED);
			assertThat(version("public")).isEqualTo(3);
			controls.resume(Accounts.PROJECTOR, "anna", "a test");
			awaitVersion("public", 4);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			if (this.generations.live() == 2) {
				this.generations.switchTo(1);
			}
			switchAndBackAndRetire();
		}
	}

	/** As a statement_timeout of the role, or an administrator, would. */
	@Test
	void triesAgainIfAStatementOfTheSwitchIsCancelled() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 3);
			this.generations.build();
			this.world.jdbc().execute("""
					create sequence cancelled;
					create function cancel() returns event_trigger language plpgsql as $$
					begin
					  if nextval('public.cancelled') <= 3 then
					    raise exception sqlstate '57014' using message = 'cancelled by the test';
					  end if;
					end $$;
					create event trigger cancelling on ddl_command_end when tag in ('ALTER TABLE')
					  execute function cancel()""");
			this.generations.switchTo(2);
			this.world.jdbc().execute("drop event trigger cancelling");
			assertThat(this.world.count("select last_value from cancelled")).isGreaterThan(3);
			this.generations.switchTo(1);
			switchAndBackAndRetire();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3 })
	void getsByWithASmallPool(int size) {
		this.world.append(World.ACME, "a", 1, 50);
		WorldApplication small = WorldApplication.of(new BesideSetup.Stored())
			.lease(Duration.ofSeconds(5))
			.customize(WorldApplication.pool((pool) -> pool.setMaximumPoolSize(size)));
		try (AnnotationConfigApplicationContext application = this.world.start(small)) {
			awaitVersion("public", 50);
			this.generations.build();
			switchAndBackAndRetire();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "repeatable read", "serializable" })
	void getsByWithAnotherDefaultIsolation(String isolation) {
		this.world.setDefault("default_transaction_isolation", isolation);
		this.world.append(World.ACME, "a", 1, 20);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 20);
			this.generations.build();
			this.world.append(World.ACME, "a", 21, 30);
			awaitVersion("public", 30);
			switchAndBackAndRetire();
		}
	}

	/** The clock of the database has stepped back by an hour. */
	@Test
	void keepsAStandbyThatWasLiveInTheFuture() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 3);
			this.generations.build();
			this.generations.switchTo(2);
			this.world.jdbc().update("update eventing.projections set live_at = live_at + interval '1 hour'");
			this.world.append(World.ACME, "a", 4, 4);
			awaitVersion("accounts_g1", 4);
			assertThat(this.generations.beside()).map(ProjectionGeneration::status)
				.contains(ProjectionGeneration.Status.STANDBY);
			this.generations.switchTo(1);
			this.generations.retire(2);
			this.generations.assertThatNothingIsLeft();
		}
	}

	/**
	 * Its time is over by the clock of the node that holds it, and no other node asks.
	 */
	@Test
	void holdsTheLiveGenerationForAShortTimeThoughTheClockOfTheDatabaseStepsBack() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitVersion("public", 3);
			this.world.jdbc().update("""
					insert into eventing.projection_requests
					       (projection_name, action, generation, actor, reason, expires_at, hold_at, hold_until)
					values ('accounts', 'SWITCH', 9, 'anna', 'its owner is gone', now() + interval '2 hours', 0,
					        now() + interval '1 hour')""");
			await().until(() -> this.world
				.count("select count(*) from eventing.projection_requests where held_at is not null") == 1);
			this.world.append(World.ACME, "a", 4, 4);
			awaitVersion("public", 4);
			this.world.append(World.ACME, "a", 5, 5);
			awaitVersion("public", 5);
			assertThat(application.isActive()).isTrue();
		}
	}

	private void switchAndBackAndRetire() {
		long version = version("public");
		this.generations.switchTo(2);
		this.world.append(World.ACME, "a", version + 1, version + 2);
		awaitVersion("public", version + 2);
		this.generations.switchTo(1);
		this.world.append(World.ACME, "a", version + 3, version + 3);
		awaitVersion("public", version + 3);
		awaitVersion("accounts_g2", version + 3);
		for (String schema : List.of("public", "accounts_g2")) {
			assertThat(this.world.jdbc().queryForList("select * from " + schema + ".violations")).isEmpty();
		}
		this.generations.retire(2);
		this.generations.assertThatNothingIsLeft();
		assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(version + 3);
	}

	/** Other waits for the table are retried later, so this gets its turn. */
	private void alterWhileOthersLock(String statement) {
		await().ignoreExceptions().until(() -> {
			this.world.jdbc().execute("set lock_timeout = '2s'; " + statement + "; reset lock_timeout");
			return true;
		});
	}

	private AnnotationConfigApplicationContext start() {
		return this.world.start(WorldApplication.of(new BesideSetup.Stored()).lease(Duration.ofSeconds(2)));
	}

	private static ProjectorState state(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).state();
	}

	private void awaitVersion(String schema, long version) {
		await().ignoreExceptions().until(() -> version(schema) == version);
	}

	private long version(String schema) {
		return this.world.count("select coalesce(max(version), 0) from " + schema + ".account where account = 'a'");
	}

}
