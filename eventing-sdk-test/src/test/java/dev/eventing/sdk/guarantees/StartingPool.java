package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;

/**
 * A pool of an application under test. The application's own threads wait no longer for a
 * connection than the pool lets them, from the first moment, since Hikari heeds a change
 * of its time-out only after half a minute. The start of the application waits longer: a
 * migration needs a second connection, which takes seconds on a busy machine. So do the
 * threads of the test, which ask the application's beans.
 */
final class StartingPool extends HikariDataSource {

	private final Duration patience;

	private volatile boolean started;

	/**
	 * Connects to nothing yet.
	 * @param patience how long the start and the test wait
	 */
	StartingPool(Duration patience) {
		this.patience = patience;
	}

	/** From now on threads of the application wait no longer than the pool lets them. */
	void started() {
		this.started = true;
	}

	@Override
	public Connection getConnection() throws SQLException {
		long begun = System.nanoTime();
		while (true) {
			try {
				return super.getConnection();
			}
			catch (SQLTransientConnectionException ex) {
				if (!isPatient() || System.nanoTime() - begun > this.patience.toNanos()) {
					throw ex;
				}
			}
		}
	}

	private boolean isPatient() {
		String thread = Thread.currentThread().getName();
		return !this.started || thread.equals("main") || thread.startsWith("awaitility-");
	}

}
