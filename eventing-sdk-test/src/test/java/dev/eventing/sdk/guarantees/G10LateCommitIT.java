package dev.eventing.sdk.guarantees;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G10 and G11: a generation that is filled from a stream to which a relay publishes has
 * the events of transactions that draw their positions early and commit late.
 */
class G10LateCommitIT {

	private static final int WRITERS = 8;

	private static final int BEFORE = 20;

	/** The longest time that a transaction stays open, in milliseconds. */
	private static final int LONGEST = 300;

	/** On a busy machine the live one lags, and a build would give way. */
	private static final BuildOptions FULL_SPEED = new BuildOptions(Integer.MAX_VALUE, null);

	private final long seed = Long.getLong("late.seed", System.nanoTime());

	@AutoClose
	private final RelayWorld relayed = RelayWorld.create();

	private final World world = this.relayed.world();

	private final StreamRebuilds rebuilds = new StreamRebuilds(this.world);

	private final AtomicBoolean enough = new AtomicBoolean();

	@Test
	void hasAppendsThatAreCommittedAfterItIsReadyOrLive() {
		for (int account = 0; account < StreamRebuilds.NAMES; account++) {
			this.relayed.append(World.ACME, "a" + account, BEFORE);
		}
		try (AnnotationConfigApplicationContext relay = this.relayed.start(this.relayed.options());
				AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", BEFORE);
			this.relayed.transaction().executeWithoutResult((status) -> {
				appendAndGoOn("a1");
				appendElsewhere("a2", BEFORE + 1);
				this.rebuilds.build();
				this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
				appendElsewhere("a3", BEFORE + 1);
			});
			assertThatAllAreIn("public", "accounts_g2");
			this.relayed.transaction().executeWithoutResult((status) -> {
				appendAndGoOn("a4");
				appendElsewhere("a5", BEFORE + 1);
				this.rebuilds.switchTo(2);
				appendElsewhere("a6", BEFORE + 1);
			});
			assertThatAllAreIn("public", "accounts_g1");
			this.rebuilds.retire(1);
			this.relayed.transaction().executeWithoutResult((status) -> {
				appendAndGoOn("a0");
				appendElsewhere("a2", BEFORE + 2);
				this.rebuilds.rebuild();
				awaitRebuilt();
			});
			assertThatAllAreIn("public");
			assertThat(application.isActive() && relay.isActive()).isTrue();
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	@Test
	void hasTheAppendsOfEightWritersThatCommitLate() {
		System.out.println("late.seed=" + this.seed);
		List<CompletableFuture<Void>> writers = new ArrayList<>();
		try (AnnotationConfigApplicationContext relay = this.relayed.start(this.relayed.options());
				AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts());
				AnnotationConfigApplicationContext other = this.rebuilds.start(new StreamAccounts())) {
			try {
				for (int writer = 0; writer < WRITERS; writer++) {
					String account = "w" + writer;
					Random random = new Random(this.seed + writer);
					writers.add(CompletableFuture.runAsync(() -> write(account, random), (task) -> start(task)));
				}
				await().until(() -> this.world.count("select count(*) from account where version > 5") == WRITERS);
				this.rebuilds.build(FULL_SPEED);
				this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
				this.rebuilds.switchTo(2);
				this.rebuilds.switchTo(1);
				this.rebuilds.switchTo(2);
				assertThatNothingIsViolated("public", "accounts_g1");
				this.rebuilds.retire(1);
				this.rebuilds.rebuild();
				awaitRebuilt();
				this.rebuilds.build(FULL_SPEED);
				this.rebuilds.awaitStatus(4, ProjectionGeneration.Status.READY);
			}
			finally {
				this.enough.set(true);
				writers.forEach(CompletableFuture::join);
			}
			assertThatAllAreIn("public", "accounts_g4");
			assertThat(application.isActive() && other.isActive() && relay.isActive()).isTrue();
			this.rebuilds.retire(4);
			this.rebuilds.assertThatNothingIsLeft();
			System.out.printf("%d events of %d writers%n", this.world.count("select count(*) from eventing.events"),
					WRITERS);
		}
	}

	private static void start(Runnable task) {
		new Thread(task).start();
	}

	private void write(String account, Random random) {
		for (int version = 1; !this.enough.get(); version++) {
			int drawn = version;
			double pause = random.nextInt(LONGEST) / 1e3;
			this.relayed.transaction().executeWithoutResult((status) -> {
				append(account, drawn);
				this.relayed.jdbc().queryForObject("select pg_sleep(?)::text", String.class, pause);
				if (random.nextInt(10) == 0) {
					status.setRollbackOnly();
				}
			});
			if (this.relayed.store().version(World.ACME, account) < version) {
				version--;
			}
		}
	}

	private void append(String account, long version) {
		this.relayed.store()
			.append(World.ACME, account, ExpectedVersion.exact(version - 1),
					NewEvent.of(new Deposited(account, version, version)));
	}

	/**
	 * In the transaction of this thread. The driver keeps the snapshot of a statement
	 * until the next one, and a switch waits for old snapshots: a setting has none.
	 */
	private void appendAndGoOn(String account) {
		this.relayed.append(World.ACME, account, 1);
		this.relayed.jdbc().execute("set local lock_timeout to default");
	}

	/** In a transaction of its own that commits at once. */
	private void appendElsewhere(String account, long version) {
		CompletableFuture
			.runAsync(() -> this.relayed.transaction().executeWithoutResult((status) -> append(account, version)))
			.join();
	}

	private void awaitRebuilt() {
		await().until(() -> this.rebuilds.status() != Status.PENDING);
		assertThat(this.rebuilds.status()).as(this.rebuilds.detail()).isEqualTo(Status.DONE);
		await().until(() -> this.rebuilds.operators.generations(Accounts.PROJECTOR)
			.stream()
			.noneMatch((each) -> each.status() == ProjectionGeneration.Status.FILLING));
	}

	private void assertThatAllAreIn(String... schemas) {
		for (String schema : schemas) {
			await().untilAsserted(() -> AppendedAccounts.assertThatAllAreIn(this.world.jdbc(), schema + ".account"));
		}
		assertThatNothingIsViolated(schemas);
	}

	private void assertThatNothingIsViolated(String... schemas) {
		for (String schema : schemas) {
			assertThat(this.world.jdbc().queryForList("select * from " + schema + ".violations")).as(schema).isEmpty();
		}
	}

}
