package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions that are never the caller's, on separate connections, at read committed
 * unless a method says otherwise. What they change is kept if the caller's transaction
 * rolls back, and they commit nothing of it. Thread-safe.
 *
 * <p>
 * A transaction that is new by its propagation is not enough: where JPA's transaction
 * manager runs the caller's transaction, a JDBC transaction manager of the same
 * DataSource takes the connection of JPA, and would commit it.
 *
 * <p>
 * The server ends a transaction that writes if its client sends nothing for ten seconds:
 * a stopped process, or one behind a network that is gone, would keep its locks for as
 * long as the session lasts.
 */
public final class SeparateTransactions {

	/** The shorter time of the server's own setting and this one. */
	private static final String IDLE_TIMEOUT = """
			select set_config('idle_in_transaction_session_timeout', '10s', true)
			 where current_setting('idle_in_transaction_session_timeout')::interval
			       not between interval '1 millisecond' and interval '10 seconds'""";

	/** What was set is of no interest. */
	private static final RowCallbackHandler SET = (row) -> {
	};

	private final DataSource dataSource;

	private final JdbcTemplate limits;

	private final TransactionTemplate writing;

	private final TransactionTemplate reading;

	private final TransactionTemplate comparing;

	/** Opens no connection yet. */
	public SeparateTransactions(DataSource target) {
		// Spring finds the connection of a transaction by its DataSource, and knows this
		// one from no other transaction.
		this.dataSource = new DelegatingDataSource(target);
		this.limits = new JdbcTemplate(this.dataSource);
		JdbcTransactionManager manager = new JdbcTransactionManager(this.dataSource);
		this.writing = new TransactionTemplate(manager);
		this.writing.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.writing.setIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
		this.reading = new TransactionTemplate(manager, this.writing);
		this.reading.setReadOnly(true);
		this.comparing = new TransactionTemplate(manager, this.reading);
		this.comparing.setIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ);
	}

	/** For the templates that run statements in these transactions. */
	public DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * Runs the work in a transaction. The server ends it if the work sends no statement
	 * for ten seconds; nothing is changed then.
	 * @throws org.springframework.dao.DataAccessException if the database does not
	 * answer, or has ended the transaction
	 */
	public <T extends @Nullable Object> T write(Supplier<T> work) {
		return run(this.writing, () -> {
			Standby.abortAfterFailure(this.dataSource);
			this.limits.query(IDLE_TIMEOUT, SET);
			return work.get();
		});
	}

	/**
	 * Runs the work in a transaction that only reads.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public <T extends @Nullable Object> T read(Supplier<T> work) {
		return run(this.reading, work);
	}

	/**
	 * Runs the work in a transaction that only reads, and whose statements all see the
	 * database at one point in time.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public <T extends @Nullable Object> T readAtOnePoint(Supplier<T> work) {
		return run(this.comparing, work);
	}

	@SuppressWarnings("NullAway") // the work may return null
	private static <T extends @Nullable Object> T run(TransactionTemplate transactions, Supplier<T> work) {
		try {
			return transactions.execute((status) -> work.get());
		}
		catch (TransactionException ex) {
			throw new DataAccessResourceFailureException("The transaction cannot begin or end.", ex);
		}
	}

}
