package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that append events. Calls the signal after their commits, and finds
 * out whether the events were committed with them. Where a pool disables autocommit, its
 * connection looks like one in a transaction also if nothing will commit it. Thread-safe.
 */
final class AppendTransactions {

	private static final Logger logger = LoggerFactory.getLogger(AppendTransactions.class);

	/** The caller of the commit waits. */
	private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);

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
	 * Makes sure that this thread is in a transaction.
	 * @throws dev.eventing.sdk.WrongTransactionException if none is active, or it has
	 * ended
	 */
	static void requireActive(String streamId) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()) {
			throw AppendStatement.outsideTransaction(streamId, "none is active on this thread");
		}
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			throw AppendStatement.afterTransaction(streamId);
		}
	}

	/**
	 * Events were inserted in the transaction of this thread. Follows it to its end, once
	 * for all its appends.
	 * @param last the last position that was drawn
	 */
	void appended(String streamId, long last) {
		current().appended(streamId, last);
	}

	private End current() {
		for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
			if (each instanceof End end && end.isOf(this)) {
				return end;
			}
		}
		End end = new End();
		TransactionSynchronizationManager.registerSynchronization(end);
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			/**
			 * Last, as is the default: by now Spring has given back a connection that it
			 * has got on its own.
			 */
			@Override
			public void afterCompletion(int status) {
				if (status == STATUS_COMMITTED) {
					end.look();
				}
			}

		});
		return end;
	}

	private boolean isStored(long position) {
		try (Connection connection = BoundedDataSource.of(this.dataSource, LONGEST_LOOK).getConnection();
				PreparedStatement statement = connection.prepareStatement(this.stored)) {
			statement.setLong(1, position);
			try (ResultSet rows = statement.executeQuery()) {
				return rows.next();
			}
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("It is not known whether events were committed.", ex);
			return true;
		}
	}

	/** The end of one transaction that has appended. For its thread. */
	private final class End implements TransactionSynchronization {

		/** Of the last append in time. */
		private String streamId = "";

		/** The last one that it drew; 0 if there is none, or it was rolled back. */
		private long position;

		/** The position at each savepoint. */
		private final IdentityHashMap<Object, Long> before = new IdentityHashMap<>();

		/** Whether Spring has called {@link #beforeCompletion}: not if it came later. */
		private boolean complete;

		/** Whether the transaction was committed. */
		private boolean committed;

		/** Of the last append after the commit; null if there was none. */
		private @Nullable String late;

		private boolean isOf(AppendTransactions transactions) {
			return AppendTransactions.this == transactions;
		}

		private void appended(String stream, long last) {
			if (this.committed) {
				this.late = stream;
				return;
			}
			this.streamId = stream;
			this.position = last;
		}

		@Override
		public void savepoint(Object savepoint) {
			this.before.put(savepoint, this.position);
		}

		@Override
		public void savepointRollback(Object savepoint) {
			// a savepoint from before the first append is not known here
			this.position = this.before.getOrDefault(savepoint, 0L);
		}

		/** Before other listeners: they may append. */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

		@Override
		public void beforeCompletion() {
			this.complete = true;
		}

		@Override
		public void afterCommit() {
			this.committed = true;
			AppendTransactions.this.signal.appended();
		}

		/**
		 * After the commit. It must not throw: another transaction may have been
		 * committed, and that of the events may still be open. A connection that a
		 * manager of the DataSource has got is still bound to the thread. With JTA none
		 * is, and that is right.
		 */
		private void look() {
			if (this.late != null) {
				warn(this.late);
			}
			else if (!this.complete && !this.committed) {
				// An append at the flush of the commit is not late.
				warn(this.streamId);
			}
			if (this.position > 0
					&& TransactionSynchronizationManager.getResource(AppendTransactions.this.dataSource) == null
					&& !isStored(this.position)) {
				logger.error("Events of stream {} are lost: the transaction that was committed belongs to another"
						+ " DataSource. Consider a transaction manager for the DataSource that holds the SDK's tables. The"
						+ " append could not see this, because the pool disables autocommit.",
						Quoted.of(this.streamId));
			}
		}

	}

	private void warn(String streamId) {
		logger.atLevel(this.warned.compareAndSet(false, true) ? Level.WARN : Level.DEBUG)
			.log("Events were appended to stream {} in a call after the commit of the transaction. They are lost where"
					+ " the pool disables autocommit. Consider @Transactional(propagation = REQUIRES_NEW) on the calling"
					+ " method. Further ones are logged at DEBUG.", Quoted.of(streamId));
	}

}
