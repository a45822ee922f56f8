package dev.eventing.benchmark.peers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

/**
 * How far a library has come that does not say when it is through: its handler counts,
 * and when the last event was handled the read model tells whether that is committed. Any
 * number of threads may count.
 */
public final class Progress {

	private static final Duration LIMIT = Duration.ofMinutes(5);

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

	private final long events;

	private final AtomicLong handled = new AtomicLong();

	private final CountDownLatch all = new CountDownLatch(1);

	/**
	 * Of none handled yet.
	 * @param events how many there are to handle
	 */
	public Progress(long events) {
		this.events = events;
	}

	/** An event was handled; its transaction may still be open. */
	public void handled() {
		if (this.handled.incrementAndGet() == this.events) {
			this.all.countDown();
		}
	}

	/**
	 * Returns when the read model has all events.
	 * @throws IllegalStateException when that takes minutes
	 */
	public void awaitCommitted(DataSource readModel) throws SQLException, InterruptedException {
		long deadline = System.nanoTime() + LIMIT.toNanos();
		if (!this.all.await(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
			throw new IllegalStateException("%d of %d events were handled within %s. Consider its log."
				.formatted(this.handled.get(), this.events, LIMIT));
		}
		try (Connection connection = readModel.getConnection()) {
			while (changes(connection) < this.events) {
				if (System.nanoTime() > deadline) {
					throw new IllegalStateException("%d of %d events are in the read model after %s. Consider its log."
						.formatted(changes(connection), this.events, LIMIT));
				}
				LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
			}
		}
	}

	private static long changes(Connection connection) throws SQLException {
		// Reads the whole table, some milliseconds; only the last commits are waited for.
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("select coalesce(sum(changes), 0) from account")) {
			row.next();
			return row.getLong(1);
		}
	}

}
