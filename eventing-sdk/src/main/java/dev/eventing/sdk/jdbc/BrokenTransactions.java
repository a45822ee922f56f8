package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Remembers the server sessions whose connection broke while a transaction was open. If
 * the server has not noticed, such a session keeps its locks until the server's TCP gives
 * up, which may take hours. Thread-safe.
 */
public final class BrokenTransactions {

	private static final Logger logger = LoggerFactory.getLogger(BrokenTransactions.class);

	/** More than any pool has. Beyond this number the oldest is dropped. */
	private static final int MOST = 1000;

	private final DataSource dataSource;

	private final Queue<Session> sessions = new ConcurrentLinkedQueue<>();

	/** Does nothing until a transaction of this DataSource joins. */
	public BrokenTransactions(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/** Watches the current transaction of this thread until it ends. */
	public void join() {
		if (TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder) {
			Connection connection = DriverConnection.of(holder.getConnection());
			Integer pid = (connection != null) ? pid(connection) : null;
			if (connection != null && pid != null) {
				Session session = new Session(pid, System.nanoTime());
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int status) {
						if (status != STATUS_COMMITTED && isBroken(connection)) {
							add(session);
						}
					}

				});
			}
		}
	}

	private void add(Session session) {
		this.sessions.add(session);
		if (this.sessions.size() > MOST) {
			this.sessions.poll();
		}
	}

	private static boolean isBroken(Connection connection) {
		try {
			return connection.isClosed();
		}
		catch (SQLException ex) {
			return true;
		}
	}

	/** Calls the driver by reflection: this package is not compiled against it. */
	private static @Nullable Integer pid(Connection connection) {
		try {
			return (Integer) DriverConnection.type().getMethod("getBackendPID").invoke(connection);
		}
		catch (ReflectiveOperationException ex) {
			logger.trace("The session of a connection is not known.", ex);
			return null;
		}
	}

	/** The sessions that broke since the last call. */
	public List<Session> take() {
		List<Session> taken = new ArrayList<>();
		for (Session session = this.sessions.poll(); session != null; session = this.sessions.poll()) {
			taken.add(session);
		}
		return taken;
	}

	/** Adds the sessions again, so that a later call takes them. */
	public void putBack(List<Session> taken) {
		taken.forEach(this::add);
	}

	/**
	 * A session of the server.
	 *
	 * @param pid its process id there
	 * @param since a time at which its transaction was open, by {@link System#nanoTime}
	 */
	public record Session(int pid, long since) {
	}

}
