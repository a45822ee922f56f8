package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.observability.EventingHealthIndicator;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** G10: what a rebuild in place waits for, and refuses, before it empties the tables. */
class G10BeginIT extends RebuildSetup {

	@Test
	void callsTheMethodsThatResetTheReadModel() {
		appendAll(1, 10);
		Resetting accounts = new Resetting();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(10);
			accounts.broken = true;
			rebuild();
			await().until(() -> status() == Status.FAILED);
			assertThat(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().detail())
				.contains("The read model cannot be emptied")
				.contains("refused by the test");
			assertThatTheReadModelIsExact(10);
			accounts.broken = false;
			rebuild();
			awaitRebuilt(2);
			assertThatTheReadModelIsExact(10);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	@Test
	void refusesWhatItCannotDoAndChangesNothing() {
		assertThatExceptionOfType(UnknownNameException.class).isThrownBy(this::rebuild);
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(new Undeclared())) {
			awaitVersions(3);
			rebuild();
			await().until(() -> status() == Status.FAILED);
			assertThat(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().detail())
				.startsWith("The projector does not declare what it writes to.");
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
		rebuild();
		assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(this::rebuild)
			.withMessageContaining("has a request that waits");
		assertThat(this.operators.cancel(Accounts.PROJECTOR, "bert", "not now")).isTrue();
		assertThat(this.operators.cancel(Accounts.PROJECTOR, "bert", "not now")).isFalse();
		assertThat(status()).isEqualTo(Status.CANCELLED);
		this.operators.rebuildInPlace(Accounts.PROJECTOR, "anna", REASON, Duration.ofSeconds(1));
		await().until(() -> status() == Status.EXPIRED);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			appendAll(4, 4);
			awaitVersions(4);
			assertThat(this.operators.generations(Accounts.PROJECTOR)).hasSize(1);
			assertThatTheReadModelIsExact(4);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	/** Events in a lane may be applied out of order with later ones. */
	@Test
	void waitsUntilEachEventItHoldsIsSettled() {
		appendAll(1, 3);
		Stored accounts = new Stored();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(3);
			accounts.unavailable.add("a0");
			appendAll(4, 6);
			await().until(() -> this.world.version(World.ACME, "a1") == 6);
			rebuild();
			await().until(
					() -> String.valueOf(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().detail())
						.startsWith("Not all events are settled that the projector has met"));
			assertThat(this.operators.generations(Accounts.PROJECTOR)).hasSize(1);
			accounts.unavailable.clear();
			awaitRebuilt(2);
			awaitVersions(6);
			assertThatTheReadModelIsExact(6);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	/**
	 * Events that an earlier owner has applied after one that waits do not count as
	 * settled.
	 */
	@Test
	void waitsUntilItHasMetWhatEarlierOwnersSettled() {
		Stored first = new Stored();
		first.unavailable.add("a0");
		appendAll(1, 1);
		try (AnnotationConfigApplicationContext application = start(first)) {
			await().until(() -> this.world.count("select count(*) from account") == NAMES - 1);
		}
		assertThat(this.world.checkpoint(Accounts.PROJECTOR)).isZero();
		new JdbcProjectors(this.world.jdbc().getDataSource(), EventingSchema.defaults()).pause(Accounts.PROJECTOR,
				"anna", REASON);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			rebuild();
			await().until(() -> detail().startsWith("Not all events are settled"));
			application.getBean(ProjectorRegistry.class).resume(Accounts.PROJECTOR);
			awaitRebuilt(2);
			awaitVersions(1);
			assertThatTheReadModelIsExact(1);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	/** A try may take 10 s. Events of other lanes are applied between two tries. */
	@Test
	void interruptsNoHandlerThatRunsLong() {
		appendAll(1, 3);
		Stored accounts = new Stored();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(3);
			CountDownLatch free = new CountDownLatch(1);
			accounts.slow.put("a0", free);
			appendAll(4, 4);
			rebuild();
			await().until(() -> detail().startsWith("Not all events are settled"));
			appendAll(5, 5);
			await().until(() -> this.world.count("select count(*) from account where version = 5") > 0);
			assertThat(this.operators.generations(Accounts.PROJECTOR)).hasSize(1);
			free.countDown();
			awaitRebuilt(2);
			awaitVersions(5);
			assertThat(accounts.interrupted).isFalse();
			assertThatTheReadModelIsExact(5);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	/** The tables may be in use for a while. */
	@Test
	void triesAgainWhileAReaderHoldsTheTables() {
		appendAll(1, 5);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(5);
			this.world.whileHolding("select * from account", () -> {
				rebuild();
				await().until(() -> String
					.valueOf(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().detail())
					.startsWith("The read model cannot be emptied now"));
			});
			awaitRebuilt(2);
			assertThatTheReadModelIsExact(5);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	@Test
	void isStalledWhileAResetDoesNotReturn() {
		append("a0", 1, 1);
		Resetting accounts = new Resetting();
		CountDownLatch free = new CountDownLatch(1);
		accounts.held = free;
		WorldApplication impatient = WorldApplication.of(accounts)
			.with(ProjectorSettings.builder().stalledAfter(Duration.ofSeconds(1)).build());
		try (AnnotationConfigApplicationContext application = this.world.start(impatient)) {
			EventingHealthIndicator health = new EventingHealthIndicator(application.getBean(ProjectorRegistry.class),
					application.getBean(NatsClient.class), application.getBean(Pruner.class),
					application.getBean(dev.eventing.sdk.worker.StallWatch.class));
			await().until(() -> this.world.version(World.ACME, "a0") == 1);
			await()
				.until(() -> health.health().getStatus().equals(org.springframework.boot.health.contributor.Status.UP));
			rebuild();
			await().untilAsserted(() -> {
				ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
				assertThat(status.state()).isEqualTo(ProjectorState.STALLED);
				assertThat(status.detail()).startsWith("'accounts-owner' has made no progress for");
			});
			await().until(
					() -> health.health().getStatus().equals(org.springframework.boot.health.contributor.Status.DOWN));
			free.countDown();
			awaitRebuilt(2);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

}
