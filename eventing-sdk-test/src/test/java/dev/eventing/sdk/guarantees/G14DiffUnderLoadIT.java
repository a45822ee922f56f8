package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.ledger.ComparisonHold;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G14: two generations are compared while events flow. They are held for that, no longer
 * than a few seconds.
 */
class G14DiffUnderLoadIT extends ReconciliationSetup {

	private static final int DIFFS = 10;

	private static final String HELD = "select count(*) from eventing.projections where hold_at is not null";

	@Test
	void tenDiffsFindNothingUnderSteadyLoadAndTheNextOneFindsTheChangedRow() {
		try (Writers writers = new Writers(this.world);
				AnnotationConfigApplicationContext application = start(new Totals())) {
			build(application);
			List<Long> positions = new ArrayList<>();
			for (int diff = 0; diff < DIFFS; diff++) {
				Answer answer = diff(application);
				assertThat(answer.sample()).isEmpty();
				assertThat(answer.differences()).isZero();
				assertThat(this.world.count(HELD)).as("let go at once").isZero();
				positions.add(answer.position());
				await("events flow").until(() -> this.world.checkpoint("totals") > answer.position() + 10);
			}
			assertThat(positions).isSorted().doesNotHaveDuplicates();
			this.world.jdbc().update("update totals set total = total - 1 where account = 'w0-0'");
			Answer answer = diff(application);
			assertThat(answer.differences()).isOne();
			assertThat(answer.sample()).singleElement()
				.satisfies((row) -> assertThat(row).contains("\"w0-0\"", "\"different\"", "[\"total\"]"));
			writers.requireRunning();
		}
	}

	/** The hold of a killed process ends by its time alone. */
	@Test
	void aHoldEndsByItselfIfWhoAskedForItIsGone() {
		try (Writers writers = new Writers(this.world);
				AnnotationConfigApplicationContext application = start(new Totals())) {
			build(application);
			ComparisonHold hold = new ComparisonHold(JdbcClient.create(this.world.jdbc()), EventingSchema.defaults());
			assertThat(hold.begin("totals", 2, 1, Duration.ofSeconds(5))).isPresent();
			assertThat(hold.begin("totals", 2, 1, Duration.ofSeconds(5))).as("one at a time").isEmpty();
			await("both are held").until(() -> staysWhileEventsCome("totals") && staysWhileEventsCome("totals#2"));
			long events = this.world.count("select max(global_position) from eventing.events");
			await("both go on")
				.until(() -> this.world.checkpoint("totals") > events && this.world.checkpoint("totals#2") > events);
			assertThat(this.world.count(HELD)).as("nobody has ended it").isOne();
			assertThat(diff(application).differences()).isZero();
			writers.requireRunning();
		}
	}

	private boolean staysWhileEventsCome(String projector) {
		long before = this.world.checkpoint(projector);
		long events = this.world.count("select count(*) from eventing.events");
		await().until(() -> this.world.count("select count(*) from eventing.events") > events + 60);
		return this.world.checkpoint(projector) == before;
	}

	private void build(AnnotationConfigApplicationContext application) {
		Projections projections = application.getBean(Projections.class);
		await().until(() -> this.world.count("select count(*) from totals") > 0);
		projections.rebuildBeside("totals", "anna", "a test", Patience.LONG);
		await().until(() -> projections.generations("totals")
			.stream()
			.filter((each) -> each.status() == ProjectionGeneration.Status.READY)
			.findFirst(), Optional::isPresent);
	}

	private static Answer diff(AnnotationConfigApplicationContext application) {
		GenerationDiff diff = application.getBean(Reconciliations.class).diff("totals", "anna", Patience.LONG);
		assertThat(diff.result().error()).isNull();
		Answer answer = diff.result().answer();
		assertThat(answer).isNotNull();
		return answer;
	}

	/** About 300 appends in a second, each with a commit, from two threads. */
	private static final class Writers implements AutoCloseable {

		private static final int THREADS = 2;

		private static final int ACCOUNTS = 3;

		private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);

		private final List<ScheduledFuture<?>> running = new ArrayList<>();

		private final World world;

		Writers(World world) {
			this.world = world;
			for (int thread = 0; thread < THREADS; thread++) {
				String prefix = "w" + thread + "-";
				long[] version = new long[1];
				this.running.add(this.threads.scheduleAtFixedRate(() -> append(prefix, ++version[0]), 0,
						1000L * THREADS * ACCOUNTS / 300, TimeUnit.MILLISECONDS));
			}
		}

		private void append(String prefix, long version) {
			for (int account = 0; account < ACCOUNTS; account++) {
				this.world.append(World.ACME, prefix + account, version, version);
			}
		}

		/** A writer that has failed appends no more. */
		void requireRunning() {
			assertThat(this.running).noneMatch(ScheduledFuture::isDone);
		}

		@Override
		public void close() {
			this.threads.shutdownNow();
			try {
				assertThat(this.threads.awaitTermination(Patience.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
