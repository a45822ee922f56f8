package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;

/**
 * A pool whose callers wait longer for a connection while the application starts: a
 * migration needs a second one, which takes seconds on a busy machine. The pool has its
 * own limit from the beginning, since Hikari heeds a change of it only after half a
 * minute.
 */
final class StartingPool extends HikariDataSource {

	/** By {@link System#nanoTime}. */
	private final long patientUntil;

	private volatile boolean started;

	StartingPool(Duration patience) {
		this.patientUntil = System.nanoTime() + patience.toNanos();
	}

	/** From now on callers wait no longer than the pool lets them. */
	void started() {
		this.started = true;
	}

	@Override
	public Connection getConnection() throws SQLException {
		while (true) {
			try {
				return super.getConnection();
			}
			catch (SQLTransientConnectionException ex) {
				if (this.started || System.nanoTime() - this.patientUntil > 0) {
					throw ex;
				}
			}
		}
	}

}
