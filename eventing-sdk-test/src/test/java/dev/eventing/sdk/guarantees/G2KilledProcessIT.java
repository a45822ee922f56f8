package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.api.ConsumerInfo;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G2: a delivery is settled only after its transaction ended; a crash anywhere costs a
 * duplicate delivery, never an event. And G6 with it: whatever died, each account saw its
 * events in order.
 */
@Tag("crash")
class G2KilledProcessIT {

	private static final List<TenantId> TENANTS = List.of(TenantId.of("acme"), TenantId.of("globex"),
			TenantId.of("initech"), TenantId.of("umbrella"));

	private static final int ACCOUNTS = 50;

	private static final int VERSIONS = 100;

	private static final int EVENTS = 20_000;

	/** Published once the last process has been killed, so that the next one has work. */
	private static final int LAST_VERSIONS = 5;

	private static final int EVENTS_TO_KILL_AT = EVENTS / VERSIONS * (VERSIONS - LAST_VERSIONS);

	private static final int KILLS_AT_WORK = 20;

	/**
	 * Far enough from the end that what is applied before the kill arrives is not all.
	 */
	private static final int LAST_GOAL = 14_000;

	/** The number of kills at work before one kill at a start. */
	private static final int KILLS_PER_START = 4;

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Accounts.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@AutoClose
	private final World world = World.create();

	private int killsAtWork;

	private int killsAtStart;

	@Test
	void appliesEveryEventOnceAndInOrderHoweverOftenItsProcessIsKilled() {
		System.out.println("crash.seed=" + this.seed);
		publish(1, VERSIONS - LAST_VERSIONS);
		long begun = System.nanoTime();
		while (this.killsAtWork < KILLS_AT_WORK) {
			killAtWork();
			if (this.killsAtWork % KILLS_PER_START == 0) {
				killWhileItStarts();
			}
		}
		publish(VERSIONS - LAST_VERSIONS + 1, VERSIONS);
		long left = EVENTS - applied();
		this.projector.start(this.world);
		await().atMost(Patience.PROCESS).until(() -> {
			assertThat(this.projector.isAlive()).isTrue();
			return this.world.hasSettledAll("Accounts-on");
		});
		Duration took = Duration.ofNanos(System.nanoTime() - begun);
		System.out.printf("%d events, %d kills at work, %d at start, %d events left after the last kill, %d ms%n",
				EVENTS, this.killsAtWork, this.killsAtStart, left, took.toMillis());
		assertThatEveryEventWasAppliedOnceAndInOrder();
	}

	/** The kill comes after a random number of events, with deliveries under way. */
	private void killAtWork() {
		this.projector.start(this.world);
		long before = applied();
		long share = 2 * (LAST_GOAL - before) / (KILLS_AT_WORK - this.killsAtWork);
		long goal = before + 1 + this.random.nextLong(Math.max(1, share));
		await().atMost(Patience.PROCESS).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10)).until(() -> {
			assertThat(this.projector.isAlive()).isTrue();
			assertThatNothingWasAppliedOutOfOrder();
			return applied() >= goal;
		});
		this.projector.kill();
		assertThat(applied()).as("a kill when all was done proves nothing").isLessThan(EVENTS_TO_KILL_AT);
		assertThat(durable().getNumAckPending()).as("deliveries under way when the process was killed").isPositive();
		this.killsAtWork++;
	}

	/**
	 * While it connects, looks at what its predecessor left, and puts that right. Not
	 * later: a start that is faster than the one before would leave seconds in which it
	 * could apply everything.
	 */
	private void killWhileItStarts() {
		this.projector.start(this.world);
		long start = System.nanoTime();
		this.projector.awaitReady();
		Duration whole = Duration.ofNanos(System.nanoTime() - start);
		this.projector.kill();
		this.projector.start(this.world);
		this.projector.awaitReadyOr(Duration.ofMillis(this.random.nextLong(whole.toMillis())));
		this.projector.kill();
		this.killsAtStart += 2;
	}

	private void assertThatEveryEventWasAppliedOnceAndInOrder() {
		JdbcTemplate jdbc = this.world.jdbc();
		assertThatNothingWasAppliedOutOfOrder();
		assertThat(jdbc.queryForList(
				"select tenant_id || '/' || account || ': ' || version || ', ' || total from account", String.class))
			.containsExactlyInAnyOrderElementsOf(expected());
		assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(EVENTS);
		assertThat(this.world.count("select count(*) from eventing.dead_letters")).isZero();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
	}

	private void assertThatNothingWasAppliedOutOfOrder() {
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
	}

	private static List<String> expected() {
		List<String> accounts = new ArrayList<>();
		for (TenantId tenant : TENANTS) {
			for (int account = 0; account < ACCOUNTS; account++) {
				accounts.add(tenant.value() + "/a" + account + ": " + VERSIONS + ", " + VERSIONS * (VERSIONS + 1) / 2);
			}
		}
		return accounts;
	}

	private void publish(int from, int to) {
		for (int version = from; version <= to; version++) {
			List<CompletableFuture<?>> published = new ArrayList<>();
			for (int account = 0; account < ACCOUNTS; account++) {
				for (TenantId tenant : TENANTS) {
					published.add(this.world.publisher()
						.publishAsync(this.world.subject(), this.world.deposit(tenant, "a" + account, version)));
				}
			}
			CompletableFuture.allOf(published.toArray(CompletableFuture[]::new)).join();
		}
	}

	/** Each account's version is the number of its events that were applied. */
	private long applied() {
		return this.world.count("select coalesce(sum(version), 0) from account");
	}

	private ConsumerInfo durable() {
		return this.world
			.jetStream((management) -> management.getConsumerInfo(this.world.stream(), "Accounts-on-consumer"));
	}

	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 2)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
