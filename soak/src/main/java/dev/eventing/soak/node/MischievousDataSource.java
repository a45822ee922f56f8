package dev.eventing.soak.node;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The node's pool, which can be out of connections, or out of its mind. */
final class MischievousDataSource extends DelegatingDataSource {

	private final HikariDataSource pool;

	private final Mischief mischief;

	private final ThreadMischief threads;

	MischievousDataSource(HikariDataSource pool, Mischief mischief, ThreadMischief threads) {
		super(pool);
		this.pool = pool;
		this.mischief = mischief;
		this.threads = threads;
	}

	@Override
	public Connection getConnection() throws SQLException {
		this.mischief.onConnection();
		this.threads.comesBy();
		return super.getConnection();
	}

	/** Holds all connections it can get for this time, as an application's leak would. */
	void exhaust(long millis) {
		Thread thread = new Thread(() -> hold(millis), "pool-exhaustion");
		thread.setDaemon(true);
		thread.start();
	}

	private void hold(long millis) {
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		List<Connection> held = new ArrayList<>();
		try {
			while (System.nanoTime() < end && held.size() < this.pool.getMaximumPoolSize()) {
				take(held);
			}
			boolean ended = new CountDownLatch(1).await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
			assert !ended;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			held.forEach(MischievousDataSource::nak);
		}
	}

	private void take(List<Connection> held) {
		try {
			held.add(this.pool.getConnection());
		}
		catch (SQLException ex) {
			// All are taken, or the database is away: asked again until the time is over.
		}
	}

	private static void nak(Connection connection) {
		try {
			connection.close();
		}
		catch (SQLException ex) {
			// It was cut meanwhile.
		}
	}

}
