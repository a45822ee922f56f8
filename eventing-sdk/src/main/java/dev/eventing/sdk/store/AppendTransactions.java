package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.jdbc.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that append events. Calls the signal after each commit, and finds out
 * whether the transaction was that of the events. Where a pool disables autocommit, its
 * connection looks like one in a transaction also if nothing will commit it. Thread-safe.
 */
final class AppendTransactions {

	private static final Logger logger = LoggerFactory.getLogger(AppendTransactions.class);

	private final DataSource dataSource;

	private final AppendSignal signal;

	private final String stored;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Knows no transaction yet.
	 * @param dataSource events are appended in its transactions
	 * @param events the table of the events
	 * @param signal called after each commit
	 */
	AppendTransactions(DataSource dataSource, String events, AppendSignal signal) {
		this.dataSource = dataSource;
		this.signal = signal;
		this.stored = "select from " + events + " where global_position = ?";
	}

	/**
	 * Follows the transaction of this thread to its end, once for all its appends.
	 * @throws WrongTransactionException if none is active, or it has ended
	 */
	End current(String streamId) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()) {
			throw AppendStatement.outsideTransaction(streamId, "none is active on this thread");
		}
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			throw AppendStatement.afterTransaction(streamId);
		}
		for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
			if (each instanceof End end && end.isOf(this)) {
				end.requireOpen(streamId);
				return end;
			}
		}
		End end = new End();
		TransactionSynchronizationManager.registerSynchronization(end);
		return end;
	}

	private boolean isStored(long position) {
		try (Connection connection = this.dataSource.getConnection();
				PreparedStatement statement = connection.prepareStatement(this.stored)) {
			statement.setLong(1, position);
			try (ResultSet rows = statement.executeQuery()) {
				return rows.next();
			}
		}
		catch (SQLException ex) {
			logger.debug("It is not known whether events were committed.", ex);
			return true;
		}
	}

	/** The end of one transaction. For its thread. */
	final class End implements TransactionSynchronization {

		/** Of the last append. */
		private String streamId = "";

		/** The last one that was drawn; 0 if the events may be gone, and rightly. */
		private long position;

		private boolean appended;

		private boolean committed;

		private boolean isOf(AppendTransactions transactions) {
			return AppendTransactions.this == transactions;
		}

		private void requireOpen(String stream) {
			if (this.committed) {
				throw AppendStatement.afterTransaction(stream);
			}
		}

		/** Events were inserted, up to this position. */
		void appended(String stream, long last) {
			this.streamId = stream;
			this.position = last;
			this.appended = true;
		}

		@Override
		public void savepointRollback(Object savepoint) {
			this.position = 0;
		}

		/** Before other listeners: they may append. */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void afterCommit() {
			this.committed = true;
			if (this.position > 0) {
				requireCommitted();
			}
			if (this.appended) {
				AppendTransactions.this.signal.appended();
			}
		}

		private void requireCommitted() {
			DataSource used = AppendTransactions.this.dataSource;
			if (TransactionState.current(used) == TransactionState.OPEN) {
				// Spring let a call after the end of a transaction join it.
				throw AppendStatement.afterTransaction(this.streamId);
			}
			// A connection that Spring has got on its own was given back before the
			// commit. With JTA that is right.
			if (TransactionSynchronizationManager.getResource(used) == null && !isStored(this.position)) {
				throw AppendStatement.notCommitted(this.streamId);
			}
		}

		/** Spring calls this alone if the first append came after the commit. */
		@Override
		public void afterCompletion(int status) {
			if (status == STATUS_COMMITTED && this.appended && !this.committed) {
				logger.atLevel(AppendTransactions.this.warned.compareAndSet(false, true) ? Level.WARN : Level.DEBUG)
					.log("Events were appended to stream {} in a call after the commit of the transaction. They are lost"
							+ " where the pool disables autocommit. Consider @Transactional(propagation = REQUIRES_NEW)"
							+ " on the calling method. Further ones are logged at DEBUG.", Quoted.of(this.streamId));
			}
		}

	}

}
