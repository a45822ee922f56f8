package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

import dev.eventing.sdk.relay.RelayState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * G7: transactions that draw positions early and commit late, or roll back, hide no event
 * from the relay, and an unrelated one that stays open stalls nothing.
 */
class G7LateCommitIT {

	private static final int WRITERS = 6;

	private static final int ROUNDS = 170;

	private static final int ACCOUNTS = 12;

	private final long seed = Long.getLong("late.seed", System.nanoTime());

	private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);

	@AutoClose
	private final RelayWorld world = RelayWorld.create();

	@AfterEach
	void stopWriters() {
		this.writers.shutdownNow();
	}

	@Test
	void publishesEveryCommittedEventOnceInTheOrderOfItsStream() throws Exception {
		System.out.println("late.seed=" + this.seed);
		try (Connection unrelated = this.world.world().jdbc().getDataSource().getConnection();
				var relay = this.world.start(this.world.options())) {
			unrelated.setAutoCommit(false);
			unrelated.createStatement().execute("create table unrelated (x int)");
			List<CompletableFuture<Void>> all = new ArrayList<>();
			for (int writer = 0; writer < WRITERS; writer++) {
				Random random = new Random(this.seed + writer);
				all.add(CompletableFuture.runAsync(() -> write(random), this.writers));
			}
			CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
			this.world.awaitDrained();
			assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.RUNNING);
			unrelated.rollback();
		}
		long events = this.world.world().count("select count(*) from eventing.events");
		long drawn = this.world.world().count("select max(global_position) from eventing.events");
		System.out.printf("%d events, %d positions that were never used%n", events, drawn - events);
		assertThat(drawn).isGreaterThan(events);
		assertThat(this.world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
	}

	private void write(Random random) {
		for (int round = 0; round < ROUNDS; round++) {
			boolean killed = random.nextInt(20) == 0;
			try {
				this.world.transaction().executeWithoutResult((status) -> write(random, status, killed));
			}
			catch (DataAccessException | TransactionException ex) {
				assertThat(killed).as("%s", ex).isTrue();
			}
		}
	}

	private void write(Random random, TransactionStatus status, boolean killed) {
		int account = random.nextInt(ACCOUNTS);
		this.world.append(World.ACME, "account-" + account, 1 + random.nextInt(3));
		pause(random);
		if (killed) {
			this.world.endConnection();
		}
		if (random.nextInt(5) == 0) {
			status.setRollbackOnly();
		}
	}

	/** Positions are drawn, and the commit is some time away. */
	private void pause(Random random) {
		if (random.nextInt(3) == 0) {
			LockSupport.parkNanos(random.nextInt(20_000_000));
		}
	}

}
