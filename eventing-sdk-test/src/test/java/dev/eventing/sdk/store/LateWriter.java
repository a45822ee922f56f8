package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;

import static dev.eventing.sdk.store.StoreWorld.ACME;

/**
 * One connection's transactions, each of several steps between which others continue. A
 * step is chosen by its seed: append, with or without a savepoint that is rolled back,
 * write elsewhere, commit, roll back, or be killed.
 */
final class LateWriter implements AutoCloseable {

	private static final int STREAMS = 30;

	private final ExecutorService thread = Executors.newSingleThreadExecutor();

	private final Map<Ending, Integer> endings = new EnumMap<>(Ending.class);

	private final StoreWorld world;

	private final JdbcTransactionManager transactions;

	private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

	private volatile int ended;

	private @Nullable TransactionStatus transaction;

	private int backend;

	LateWriter(StoreWorld world) {
		this.world = world;
		this.transactions = new JdbcTransactionManager(world.dataSource());
	}

	/** Such as {@code 500 COMMITTED, 200 ROLLED_BACK}. */
	static String summary(List<LateWriter> writers) {
		Map<Ending, Integer> all = new EnumMap<>(Ending.class);
		writers.forEach((writer) -> writer.endings.forEach((ending, count) -> all.merge(ending, count, Integer::sum)));
		return all.toString();
	}

	boolean isBusy() {
		return !this.last.isDone();
	}

	/** Transactions that have ended, one way or another. */
	int ended() {
		return this.ended;
	}

	void step(long seed) {
		this.last = CompletableFuture.runAsync(() -> guarded(() -> act(new Random(seed))), this.thread);
	}

	/** Commits what is open, each once it no longer waits for another. */
	static void finish(List<LateWriter> writers) {
		for (LateWriter writer : writers) {
			writer.last = writer.last.thenRunAsync(() -> writer.guarded(writer::commit), writer.thread);
		}
		writers.forEach((writer) -> writer.last.orTimeout(30, TimeUnit.SECONDS).join());
	}

	private void guarded(Runnable step) {
		try {
			step.run();
		}
		catch (DataAccessException | TransactionException ex) {
			// Killed, or chosen as the victim of a deadlock.
			rollBack(Ending.KILLED);
		}
	}

	private void act(Random random) {
		if (this.transaction == null) {
			begin();
			append(random);
			return;
		}
		int choice = random.nextInt(100);
		if (choice < 30) {
			append(random);
		}
		else if (choice < 40) {
			appendBehindSavepoint(random);
		}
		else if (choice < 45) {
			this.world.jdbc().update("insert into unrelated default values");
		}
		else if (choice < 75) {
			commit();
		}
		else if (choice < 90) {
			rollBack(Ending.ROLLED_BACK);
		}
		else {
			beKilled();
		}
	}

	private void begin() {
		this.transaction = this.transactions.getTransaction(TransactionDefinition.withDefaults());
		Integer pid = this.world.jdbc().queryForObject("select pg_backend_pid()", Integer.class);
		this.backend = (pid != null) ? pid : 0;
	}

	private void append(Random random) {
		NewEvent[] events = new NewEvent[1 + random.nextInt(3)];
		for (int i = 0; i < events.length; i++) {
			events[i] = NewEvent.of(new Written(i));
		}
		String stream = "late-" + random.nextInt(STREAMS);
		this.world.store().append(ACME, stream, ExpectedVersion.any(), events);
	}

	private void appendBehindSavepoint(Random random) {
		TransactionStatus open = Objects.requireNonNull(this.transaction);
		Object savepoint = open.createSavepoint();
		append(random);
		if (random.nextInt(3) > 0) {
			open.rollbackToSavepoint(savepoint);
		}
		open.releaseSavepoint(savepoint);
	}

	/** From another connection, as an operator would, while the transaction is open. */
	private void beKilled() {
		try (Connection connection = this.world.dataSource().getConnection();
				PreparedStatement kill = connection.prepareStatement("select pg_terminate_backend(?)")) {
			kill.setInt(1, this.backend);
			kill.execute();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		this.world.jdbc().execute("select 1");
	}

	private void commit() {
		TransactionStatus open = this.transaction;
		if (open != null) {
			this.transactions.commit(open);
			end(Ending.COMMITTED);
		}
	}

	private void rollBack(Ending how) {
		TransactionStatus open = this.transaction;
		if (open != null && !open.isCompleted()) {
			try {
				this.transactions.rollback(open);
			}
			catch (TransactionException ex) {
				// The connection is gone, and the transaction with it.
			}
		}
		end(how);
	}

	private void end(Ending how) {
		this.transaction = null;
		this.endings.merge(how, 1, Integer::sum);
		this.ended = this.endings.values().stream().mapToInt(Integer::intValue).sum();
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
	}

	private enum Ending {

		COMMITTED, ROLLED_BACK, KILLED

	}

	record Written(int number) {
	}

}
