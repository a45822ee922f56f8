package dev.eventing.sdk.guarantees;

import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.IntStream;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.implementation.StubMethod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What projectors without work cost the database. How many, and for how many seconds they
 * are watched, can be said with {@code eventing.test.idle-projectors} and
 * {@code eventing.test.idle-seconds}.
 */
@Tag("crash")
class IdleCostIT {

	private static final int PROJECTORS = Integer.getInteger("eventing.test.idle-projectors", 10);

	private static final int SECONDS = Integer.getInteger("eventing.test.idle-seconds", 8);

	private static final int SETTLE_SECONDS = 11;

	private World world;

	@BeforeEach
	void create() {
		this.world = World.create();
	}

	@AfterEach
	void close() {
		this.world.close();
	}

	@Test
	void manyProjectorsWithoutWorkCostFewTransactions() {
		Object[] handlers = IntStream.range(0, PROJECTORS).mapToObj(IdleCostIT::handler).toArray();
		double alone = transactionsPerSecond();
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(handlers))) {
			assertThat(application.isRunning()).isTrue();
			double cost = transactionsPerSecond() - alone;
			System.out.printf(Locale.ROOT, "idle: %d projectors, %.1f transactions a second%n", PROJECTORS, cost);
			assertThat(cost).isLessThan(4);
		}
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
		await().pollDelay(Duration.ofSeconds(seconds)).atMost(Duration.ofSeconds(seconds + 10)).until(() -> true);
	}

	private long transactions() {
		return this.world.count("select xact_commit from pg_stat_database where datname = current_database()");
	}

	/** Each projector needs a class of its own. */
	private static Object handler(int number) {
		try {
			return new ByteBuddy().subclass(Object.class)
				.name(IdleCostIT.class.getPackageName() + ".Idle" + number)
				.defineMethod("on", void.class, Modifier.PUBLIC)
				.withParameters(Deposited.class)
				.intercept(StubMethod.INSTANCE)
				.annotateMethod(AnnotationDescription.Builder.ofType(ProjectorEventHandler.class)
					.define("subject", "${root}.{tenant}.deposited")
					.define("projectorName", "idle-" + number)
					.build())
				.make()
				.load(IdleCostIT.class.getClassLoader())
				.getLoaded()
				.getDeclaredConstructor()
				.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
