package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Locale;

import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What projectors without work cost. The pool lends its connections without a check,
 * which would be its own transaction. How many projectors, and for how many seconds they
 * are watched, can be said with {@code eventing.test.idle-projectors} and
 * {@code eventing.test.idle-seconds}.
 */
@Tag("bulk")
class IdleCostIT {

	private static final int PROJECTORS = Integer.getInteger("eventing.test.idle-projectors", 10);

	/** Two rounds of what is looked at every 15 s. */
	private static final int SECONDS = Integer.getInteger("eventing.test.idle-seconds", 30);

	/** Of a node with one projector, and of each projector. */
	private static final double MOST = 4 + 0.15 * PROJECTORS;

	private static final double MOST_OF_A_RELAY = 12;

	private static final int SETTLE_SECONDS = 11;

	private static final int MANY = 100;

	/** For how long after its use HikariCP lends a connection without a check. */
	private static final String UNCHECKED = "com.zaxxer.hikari.aliveBypassWindowMs";

	@AutoClose
	private final World world = World.create();

	@BeforeAll
	static void lendWithoutChecks() {
		System.setProperty(UNCHECKED, "60000");
	}

	@AfterAll
	static void lendAsUsual() {
		System.clearProperty(UNCHECKED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void manyProjectorsWithoutWorkCostFewTransactions(boolean relay) {
		double alone = transactionsPerSecond();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(ManyHandlers.of(PROJECTORS)).customize((context) -> addRelay(context, relay)))) {
			assertThat(application.isRunning()).isTrue();
			double cost = transactionsPerSecond() - alone;
			System.out.printf(Locale.ROOT, "idle: %d projectors%s, %.1f transactions a second%n", PROJECTORS,
					relay ? " and a relay" : "", cost);
			assertThat(cost).isLessThan(MOST + (relay ? MOST_OF_A_RELAY : 0));
		}
	}

	@Test
	void aHundredProjectorsWithoutWorkHaveTwoThreadsEach() {
		int others = Thread.activeCount();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(ManyHandlers.of(MANY)))) {
			ProjectorRegistry projectors = application.getBean(ProjectorRegistry.class);
			await().until(() -> threads() <= 2 * MANY);
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> projectors.status().stream().allMatch((one) -> one.counts().processed() == 1));
			await().until(() -> threads() <= 2 * MANY);
			System.out.printf(Locale.ROOT, "idle: %d projectors, %d threads%n", MANY, Thread.activeCount() - others);
			await().untilAsserted(() -> assertThat(Thread.activeCount() - others).isLessThan(2 * MANY + 40));
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> projectors.status().stream().allMatch((one) -> one.counts().processed() == 2));
		}
	}

	private void addRelay(AnnotationConfigApplicationContext context, boolean relay) {
		if (relay) {
			context.registerBean(RelayOptions.class,
					() -> RelayOptions.named("idle").withSubjects(this.world.root() + ".{tenant}.deposited"));
		}
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith(ManyHandlers.PROJECTOR))
			.count();
	}

	private double transactionsPerSecond() {
		// A session that has nothing to do tells what it did after ten seconds.
		pass(SETTLE_SECONDS);
		long before = transactions();
		long begin = System.nanoTime();
		pass(SECONDS);
		return (transactions() - before) * 1e9 / (System.nanoTime() - begin);
	}

	private static void pass(int seconds) {
		await().pollDelay(Duration.ofSeconds(seconds)).atMost(Patience.LONG.plusSeconds(seconds)).until(() -> true);
	}

	private long transactions() {
		return this.world.count("select xact_commit from pg_stat_database where datname = current_database()");
	}

}
