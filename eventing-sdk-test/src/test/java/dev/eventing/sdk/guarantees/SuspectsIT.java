package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Events that a process may have died from, while other projectors have theirs. */
class SuspectsIT {

	private static final int PROJECTORS = 5;

	@AutoClose
	private final World world = World.create();

	/** All projectors of a process run such events alone: one has the turn at a time. */
	@Test
	void oneThatHangsHoldsUpThoseOfAnotherProjectorForOneTurnOnly() {
		long last = this.world.append(World.ACME, "a", 1, 20).lastPosition();
		CountDownLatch free = new CountDownLatch(1);
		Hanging hanging = new Hanging(free);
		Accounts others = new Accounts();
		diedFrom("hanging", last);
		diedFrom(Accounts.PROJECTOR, last);
		ProjectorSettings settings = ProjectorSettings.builder()
			.source(Source.EVENT_STORE)
			.stalledAfter(Duration.ofSeconds(1))
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(hanging, others).with(settings))) {
			await().until(() -> hanging.called.getCount() == 0);
			Stopwatch.time(() -> await().until(() -> this.world.version(World.ACME, "a") == 20))
				.assertWithin(Duration.ofSeconds(10));
			this.world.append(World.ACME, "a", 21, 40);
			await().until(() -> this.world.version(World.ACME, "a") == 40);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			await().untilAsserted(() -> {
				assertThat(World.status(application, "hanging").state()).isEqualTo(ProjectorState.STALLED);
				assertThat(World.status(application, "hanging").detail()).contains("it is running event");
			});
			assertThat(this.world.count("select count(*) from violations")).isZero();
			free.countDown();
			await().until(() -> World.status(application, "hanging").counts().processed() == 40);
		}
		finally {
			free.countDown();
		}
	}

	/** Each of the events was marked when the process died. */
	private void diedFrom(String projector, long last) {
		this.world.begun(projector, 0, last);
		this.world.jdbc().update("""
				insert into eventing.projector_attempts (projector_name, tenant_id, event_id, attempts,
				       first_attempt_at, last_attempt_at)
				select ?, tenant_id, event_id, 0, now(), now() from eventing.events""", projector);
	}

	/**
	 * A node takes over from one that was killed after its transactions had committed,
	 * and before it had acknowledged.
	 */
	@Test
	@Tag("bulk")
	void thoseThatWereAppliedAreSettledInBulkByFiveProjectorsOfJetStream() {
		int events = 2000;
		for (int account = 0; account < 50; account++) {
			this.world.publish(World.ACME, "a" + account, 1, events / 50);
		}
		try (AnnotationConfigApplicationContext application = start()) {
			await().until(() -> processed(application) == (long) PROJECTORS * events);
			await().until(() -> IntStream.range(0, PROJECTORS)
				.allMatch((number) -> this.world.unsettled("many-" + number) == 0));
		}
		this.world.jdbc().update("update eventing.projector_positions set floor = 0, clean_stop = false");
		long before = transactions();
		long begin = System.nanoTime();
		try (AnnotationConfigApplicationContext application = start()) {
			await().until(() -> duplicates(application) == (long) PROJECTORS * events);
			assertThat(processed(application)).isZero();
		}
		long made = transactions() - before;
		System.out.printf(Locale.ROOT, "%d applied suspects of %d projectors in %d transactions, %d ms%n", events,
				PROJECTORS, made, Duration.ofNanos(System.nanoTime() - begin).toMillis());
		assertThat(made).isLessThan((long) PROJECTORS * events / 5);
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
	}

	private AnnotationConfigApplicationContext start() {
		return this.world.start(WorldApplication.of(ManyHandlers.of(PROJECTORS)));
	}

	private static long processed(AnnotationConfigApplicationContext application) {
		return application.getBean(ProjectorRegistry.class)
			.status()
			.stream()
			.mapToLong((status) -> status.counts().processed())
			.sum();
	}

	private static long duplicates(AnnotationConfigApplicationContext application) {
		return application.getBean(ProjectorRegistry.class)
			.status()
			.stream()
			.mapToLong((status) -> status.counts().duplicates())
			.sum();
	}

	/** Sessions report their statistics when they end. */
	private long transactions() {
		return this.world.count("select xact_commit from pg_stat_database where datname = current_database()");
	}

	static class Hanging {

		final CountDownLatch called = new CountDownLatch(1);

		private final CountDownLatch free;

		Hanging(CountDownLatch free) {
			this.free = free;
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "hanging")
		public void on(Deposited event, UUID eventId, String tenantId) throws InterruptedException {
			this.called.countDown();
			this.free.await();
		}

	}

}
