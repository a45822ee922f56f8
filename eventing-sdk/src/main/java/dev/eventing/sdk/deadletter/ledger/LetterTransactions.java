package dev.eventing.sdk.deadletter.ledger;

import java.sql.Connection;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The transactions of what operators do: always of their own, so that what was asked for
 * stays when the caller's transaction rolls back, and read committed, since a statement
 * must see what was committed while the one before it waited for a lock. Thread-safe.
 */
final class LetterTransactions {

	private static final int TRIES = 3;

	private final TransactionTemplate reading;

	private final TransactionTemplate writing;

	LetterTransactions(DataSource dataSource) {
		JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
		this.writing = new TransactionTemplate(transactions);
		this.writing.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.writing.setIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
		this.reading = new TransactionTemplate(transactions, this.writing);
		this.reading.setReadOnly(true);
	}

	<T> T read(Supplier<T> work) {
		return this.reading.<T>execute((status) -> work.get());
	}

	/**
	 * Runs the work, and again if it was the victim of a deadlock: locks are taken in the
	 * order of letter numbers, but letters that come meanwhile can still get in between.
	 */
	<T> T write(Supplier<T> work) {
		for (int attempt = 1;; attempt++) {
			try {
				return this.writing.<T>execute((status) -> work.get());
			}
			catch (PessimisticLockingFailureException ex) {
				if (attempt == TRIES) {
					throw ex;
				}
			}
		}
	}

}
