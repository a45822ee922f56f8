package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A lane takes what is there: one event when idle, without waiting for more, a full batch
 * under load.
 */
class AdaptiveBatchIT {

	private static final int BATCH = 50;

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void commitsEachEventAtOnceWhenTheyComeOneAtATime(Source source) {
		try (AnnotationConfigApplicationContext application = start(new Accounts(), source)) {
			send(source, 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			for (long version = 2; version <= 20; version++) {
				long next = version;
				send(source, version, version);
				await().pollInterval(Duration.ofMillis(2)).until(() -> this.world.version(World.ACME, "a") == next);
			}
			await().untilAsserted(() -> assertThat(counts(application))
				.extracting(ProjectorCounts::processed, ProjectorCounts::transactions)
				.containsExactly(20L, 20L));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void fillsItsBatchesUnderLoad(Source source) {
		CountDownLatch free = new CountDownLatch(1);
		Accounts held = new Accounts((event) -> awaitOpen(free));
		try (AnnotationConfigApplicationContext application = start(held, source)) {
			send(source, 1, 1);
			await().until(() -> held.calls.size() == 1);
			send(source, 2, 1 + 4 * BATCH);
			await().until(() -> World.status(application, Accounts.PROJECTOR).inFlight() > BATCH + BATCH / 2);
			free.countDown();
			await().until(() -> this.world.version(World.ACME, "a") == 1 + 4 * BATCH);
			await().untilAsserted(() -> assertThat(counts(application).processed()).isEqualTo(1 + 4 * BATCH));
			// one alone, then four full ones; what is asked for meanwhile may come in
			// parts
			assertThat(counts(application).transactions()).isBetween(5L, 12L);
		}
	}

	private AnnotationConfigApplicationContext start(Accounts accounts, Source source) {
		ProjectorSettings settings = ProjectorSettings.builder().batchSize(BATCH).concurrency(1).source(source).build();
		return this.world.start(WorldApplication.of(accounts).with(settings));
	}

	private void send(Source source, long from, long to) {
		if (source == Source.EVENT_STORE) {
			this.world.append(World.ACME, "a", from, to);
		}
		else {
			this.world.publish(World.ACME, "a", from, to);
		}
	}

	private static ProjectorCounts counts(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).counts();
	}

	private static void awaitOpen(CountDownLatch gate) {
		try {
			assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
