package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * {@code spring.lifecycle.timeout-per-shutdown-phase} is shorter than the drain, while a
 * handler is at work.
 */
class ShortShutdownIT {

	private static final Duration PHASE = Duration.ofMillis(100);

	private static final String HELD = "held";

	private final CountDownLatch holding = new CountDownLatch(1);

	private final CountDownLatch goOn = new CountDownLatch(1);

	@AutoClose
	private final World world = World.create();

	/** Also where an assertion failed. */
	@AfterEach
	void letGo() {
		this.goOn.countDown();
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void stillWaitsForAHandlerThatEndsWithinTheDrain(Source source) throws Exception {
		Accounts first = new Accounts((event) -> hold(event, true));
		AnnotationConfigApplicationContext application = start(first, source, Duration.ofSeconds(30));
		offer(source);
		assertThat(this.holding.await(60, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> closed = CompletableFuture.runAsync(application::close);
		Steady.holds("the stop waits", PHASE.multipliedBy(5), () -> !closed.isDone());
		this.goOn.countDown();
		closed.get(60, TimeUnit.SECONDS);
		assertThat(this.world.version(World.ACME, HELD)).isGreaterThanOrEqualTo(2);
		Accounts second = goesOnExactly(source);
		assertThat(second.calledVersions(HELD)).doesNotContain(1L, 2L);
	}

	/** The second handler does not even heed the interrupt. */
	@ParameterizedTest
	@CsvSource({ "JETSTREAM, true", "JETSTREAM, false", "EVENT_STORE, true", "EVENT_STORE, false" })
	void endsAndSettlesNothingOfAHandlerThatOutlastsTheDrain(Source source, boolean heedsInterrupt) throws Exception {
		Accounts first = new Accounts((event) -> hold(event, heedsInterrupt));
		AnnotationConfigApplicationContext application = start(first, source, Duration.ofSeconds(1));
		offer(source);
		assertThat(this.holding.await(60, TimeUnit.SECONDS)).isTrue();
		CompletableFuture.runAsync(application::close).get(60, TimeUnit.SECONDS);
		assertThat(this.world.version(World.ACME, HELD)).isEqualTo(1);
		this.goOn.countDown();
		Accounts second = goesOnExactly(source);
		assertThat(second.calledVersions(HELD)).containsExactly(2L, 3L);
	}

	/** The next node. */
	private Accounts goesOnExactly(Source source) {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, source, Duration.ofSeconds(10))) {
			await().until(() -> this.world.version(World.ACME, HELD) == 3 && this.world.version(World.ACME, "a") == 3);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
		assertThat(this.world.count("select count(*) from account where total <> 6")).isZero();
		assertThat(this.world.count("select count(*) from violations")).isZero();
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
		return accounts;
	}

	private void offer(Source source) {
		for (String account : new String[] { "a", HELD }) {
			if (source == Source.EVENT_STORE) {
				this.world.append(World.ACME, account, 1, 3);
			}
			else {
				this.world.publish(World.ACME, account, 1, 3);
			}
		}
	}

	private AnnotationConfigApplicationContext start(Accounts accounts, Source source, Duration drain) {
		ProjectorSettings settings = ProjectorSettings.builder().source(source).batchSize(1).build();
		return this.world
			.start(WorldApplication.of(accounts).with(settings).lease(Duration.ofSeconds(2)).customize((context) -> {
				context.registerBean(ProjectorRuntime.class,
						() -> new ProjectorRuntime(drain, Thread::new, ProjectorRuntime.DEFAULT_STANDBY_LIMIT));
				context.registerBean(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME,
						DefaultLifecycleProcessor.class, ShortShutdownIT::impatient);
			}));
	}

	/** As Boot makes it of that property. */
	private static DefaultLifecycleProcessor impatient() {
		DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
		processor.setTimeoutPerShutdownPhase(PHASE.toMillis());
		return processor;
	}

	private void hold(Deposited event, boolean heedsInterrupt) {
		if (!event.account().equals(HELD) || event.version() != 2) {
			return;
		}
		this.holding.countDown();
		boolean interrupted = false;
		while (this.goOn.getCount() > 0) {
			try {
				this.goOn.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
				if (heedsInterrupt) {
					break;
				}
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		if (interrupted && heedsInterrupt) {
			throw new IllegalStateException("interrupted");
		}
	}

}
