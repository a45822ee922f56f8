package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G11: a generation beside the live one, of a projector that reads JetStream. */
class G11StreamBuildIT {

	private static final String SCHEMA = "accounts_g2";

	@AutoClose
	private final World world = World.create();

	private final StreamRebuilds rebuilds = new StreamRebuilds(this.world);

	@Test
	void buildsSwitchesToAndFroAndRetiresWhileEventsArePublished() throws InterruptedException {
		this.rebuilds.publishAll(1, 20);
		this.rebuilds.publishTwice("twice", 1);
		AtomicLong version = new AtomicLong(20);
		CountDownLatch over = new CountDownLatch(1);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts());
				AnnotationConfigApplicationContext other = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 20);
			this.world.jdbc().update("update account set total = -1000000 where account = 'a3'");
			String durable = this.rebuilds.durable();
			Thread writer = new Thread(() -> publishUntil(over, version));
			writer.start();
			try {
				this.rebuilds.build();
				this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
				assertThat(this.world.count("select total from account where account = 'a3'")).isNegative();
				this.rebuilds.switchTo(2);
				awaitMoving(version);
				assertThat(this.world.count("select total from account where account = 'a3'")).isPositive();
				this.rebuilds.switchTo(1);
				awaitMoving(version);
				this.rebuilds.switchTo(2);
				awaitMoving(version);
			}
			finally {
				over.countDown();
				writer.join();
			}
			this.rebuilds.awaitVersions("public", version.get());
			this.rebuilds.awaitVersions("accounts_g1", version.get());
			this.rebuilds.assertThatTheReadModelIsExact("public", version.get());
			assertThat(this.world.jdbc().queryForList("select * from accounts_g1.violations")).isEmpty();
			assertThat(this.world.count("select total from account where account = 'twice'")).isEqualTo(1);
			assertThat(this.rebuilds.durable()).isEqualTo(durable);
			// nodes report every few seconds
			await().untilAsserted(() -> assertThat(this.rebuilds.overview("standby").status().detail())
				.contains("beside the live one, from stream '" + this.world.stream() + "'"));
			this.rebuilds.retire(1);
			this.rebuilds.assertThatNothingIsLeft();
			assertThat(this.world.count("select count(*) from eventing.processed_events"))
				.isEqualTo(version.get() * StreamRebuilds.NAMES + 1);
		}
	}

	/** A stream may hold an event again that was settled before the switch. */
	@Test
	void appliesNoEventTwiceInTheFormerGenerationThatTheStreamHoldsAgain() {
		this.rebuilds.publishAll(1, 3);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 3);
			var event = this.world.deposit(World.ACME, "again", 1);
			this.world.publish(event);
			await().until(() -> this.world.version(World.ACME, "again") == 1);
			this.rebuilds.build();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			this.rebuilds.switchTo(2);
			long before = this.rebuilds.lastSequence();
			await().until(() -> {
				this.world.publish(event);
				return this.rebuilds.lastSequence() > before;
			});
			this.rebuilds.publishAll(4, 4);
			this.rebuilds.awaitVersions("public", 4);
			this.rebuilds.awaitVersions("accounts_g1", 4);
			for (String schema : List.of("public", "accounts_g1")) {
				this.rebuilds.assertThatTheReadModelIsExact(schema, 4);
				assertThat(this.world.count("select total from " + schema + ".account where account = 'again'"))
					.isEqualTo(1);
			}
			assertThat(application.isActive()).isTrue();
			this.rebuilds.retire(1);
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	/** Claims from before and after a switch are distinguished without a clock. */
	@ParameterizedTest
	@ValueSource(strings = { "1 hour", "-1 hour" })
	void losesNoEventAndAppliesNoneTwiceIfTheClockOfTheDatabaseSteps(String step) {
		this.rebuilds.publishAll(1, 3);
		var event = this.world.deposit(World.ACME, "again", 1);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 3);
			this.world.publish(event);
			await().until(() -> this.world.version(World.ACME, "again") == 1);
			this.rebuilds.build();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			this.rebuilds.switchTo(2);
			assertThat(application.isActive()).isTrue();
		}
		this.world.jdbc()
			.update("update eventing.projections set live_at = live_at + interval '" + step
					+ "' where status = 'LIVE'");
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			long before = this.rebuilds.lastSequence();
			await().until(() -> {
				this.world.publish(event);
				return this.rebuilds.lastSequence() > before;
			});
			this.rebuilds.publishAll(4, 6);
			this.rebuilds.awaitVersions("public", 6);
			this.rebuilds.awaitVersions("accounts_g1", 6);
			this.rebuilds.switchTo(1);
			this.rebuilds.assertThatTheReadModelIsExact("public", 6);
			assertThat(this.world.count("select total from account where account = 'again'")).isEqualTo(1);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Rows of a savepoint have a later number than its transaction. */
	@Test
	void isRolledBackToWhereTheDriverSetsSavepoints() {
		this.rebuilds.publishAll(1, 3);
		WorldApplication saving = WorldApplication.of(new StreamAccounts()).lease(Duration.ofSeconds(2));
		try (AnnotationConfigApplicationContext application = saving.start(this.world.natsUrl(),
				this.world.jdbcUrl() + "&autosave=always", this.world.root())) {
			this.rebuilds.awaitVersions("public", 3);
			this.rebuilds.build();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			this.rebuilds.switchTo(2);
			this.rebuilds.publishAll(4, 4);
			this.rebuilds.awaitVersions("public", 4);
			this.rebuilds.awaitVersions("accounts_g1", 4);
			this.rebuilds.switchTo(1);
			this.rebuilds.assertThatTheReadModelIsExact("public", 4);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void isNotRolledBackToAfterTheDatabaseWasRestoredFromADump() {
		this.rebuilds.publishAll(1, 3);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 3);
			this.rebuilds.build();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			this.rebuilds.switchTo(2);
			await()
				.until(() -> this.world.count("select count(*) from eventing.leases where lease_name like '%#2'") == 0);
			assertThat(application.isActive()).isTrue();
		}
		// A dump inserts all rows again.
		this.world.jdbc().execute("""
				create table audit as select * from eventing.projection_audit;
				delete from eventing.projection_audit;
				insert into eventing.projection_audit overriding system value select * from audit;
				drop table audit""");
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitStatus(1, ProjectionGeneration.Status.FAILED);
			assertThat(this.rebuilds.generation(1).orElseThrow().failure())
				.startsWith("The database was restored from a dump since the switch");
			this.rebuilds.publishAll(4, 4);
			this.rebuilds.awaitVersions("public", 4);
			assertThat(application.isActive()).isTrue();
			this.rebuilds.retire(1);
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	@Test
	void goesOnWhereItWasAfterAStopAndAfterALostConnection() {
		this.rebuilds.publishAll(1, 40);
		StreamAccounts first = new StreamAccounts();
		first.besideUpTo = 10;
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(first)) {
			this.rebuilds.awaitVersions("public", 40);
			this.rebuilds.build();
			awaitBeside(10);
			assertThat(this.rebuilds.overview("building").position()).isLessThan(40L * StreamRebuilds.NAMES);
			assertThat(application.isActive()).isTrue();
		}
		try (FaultProxy proxy = FaultProxy.to(TestServers.nats().port())) {
			StreamAccounts second = new StreamAccounts();
			second.besideUpTo = 20;
			WorldApplication cut = WorldApplication.of(second)
				.lease(Duration.ofSeconds(2))
				.natsAt("nats://127.0.0.1:" + proxy.port());
			try (AnnotationConfigApplicationContext application = this.world.start(cut)) {
				awaitBeside(20);
				proxy.cut();
				second.besideUpTo = 30;
				this.rebuilds.publishAll(41, 50);
				second.besideUpTo = Long.MAX_VALUE;
				proxy.restore();
				this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
				this.rebuilds.awaitVersions(SCHEMA, 50);
				this.rebuilds.assertThatTheReadModelIsExact(SCHEMA, 50);
				this.rebuilds.awaitVersions("public", 50);
				assertThat(application.isActive()).isTrue();
				this.rebuilds.retire(2);
				this.rebuilds.assertThatNothingIsLeft();
			}
		}
	}

	/** One that the projector does not declare would be that of the live generation. */
	@Test
	void failsRatherThanWriteToATableOfTheLiveGeneration() {
		this.rebuilds.publishAll(1, 5);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new Forgetful())) {
			this.rebuilds.awaitVersions("public", 5);
			this.rebuilds.build();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.FAILED);
			assertThat(this.rebuilds.generation(2).orElseThrow().failure()).contains("public.account");
			this.rebuilds.publishAll(6, 6);
			this.rebuilds.awaitVersions("public", 6);
			this.rebuilds.assertThatTheReadModelIsExact("public", 6);
			assertThat(application.isActive()).isTrue();
			this.rebuilds.retire(2);
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	/** The stream has other events now. */
	@Test
	void isFailedWhereTheStreamIsDeletedAndNeverSwitchedTo() {
		this.rebuilds.publishAll(1, 20);
		StreamAccounts accounts = new StreamAccounts();
		accounts.besideUpTo = 10;
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(accounts)) {
			this.rebuilds.awaitVersions("public", 20);
			this.rebuilds.build();
			awaitBeside(10);
			this.world.jetStream((management) -> {
				var configuration = management.getStreamInfo(this.world.stream()).getConfiguration();
				management.deleteStream(this.world.stream());
				return management.addStream(configuration);
			});
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.FAILED);
			assertThat(this.rebuilds.generation(2).orElseThrow().failure()).matches(
					"Stream '.*' (was deleted and created again|does not exist any more)\\. Retire it, and build another\\.");
			assertThat(application.isActive()).isTrue();
			this.rebuilds.retire(2);
			assertThat(this.world.count("select count(*) from pg_namespace where nspname like 'accounts%'")).isZero();
		}
	}

	/**
	 * Its letters are its own, and events that the live one shows must not be missing.
	 */
	@Test
	void exchangesTheLettersAndWhatIsClaimed() {
		StreamAccounts accounts = new StreamAccounts();
		accounts.refused.add("a1");
		accounts.refusedBeside.add("a2");
		this.rebuilds.publishAll(1, 3);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(accounts)) {
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 3);
			accounts.refused.clear();
			this.rebuilds.build();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
			this.rebuilds.requestSwitch(2);
			this.rebuilds.awaitRefused("3 events of the live generation are dead letters of generation 2.");
			this.rebuilds.retire(2);
			accounts.refusedBeside.clear();
			this.rebuilds.build();
			this.rebuilds.awaitStatus(3, ProjectionGeneration.Status.READY);
			this.rebuilds.switchTo(3);
			this.rebuilds.assertThatTheReadModelIsExact("public", 3);
			this.rebuilds.publishAll(4, 4);
			this.rebuilds.awaitVersions("public", 4);
			assertThat(application.isActive()).isTrue();
			this.rebuilds.retire(1);
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	private void awaitBeside(long version) {
		await().ignoreExceptions()
			.until(() -> this.world
				.count("select count(*) from " + SCHEMA + ".account where version = " + version) > 0);
	}

	/** At a rate at which both generations keep up. */
	private void publishUntil(CountDownLatch over, AtomicLong version) {
		try {
			while (!over.await(20, TimeUnit.MILLISECONDS)) {
				this.rebuilds.publishAll(version.get() + 1, version.get() + 1);
				version.incrementAndGet();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** The read model follows what is published. */
	private void awaitMoving(AtomicLong version) {
		long now = version.get();
		await().until(() -> this.world.version(World.ACME, "a6") > now);
	}

	/** Declares one of its two tables. */
	@Projector(value = Accounts.PROJECTOR, tables = "violations")
	static class Forgetful extends StreamAccounts {

	}

}
