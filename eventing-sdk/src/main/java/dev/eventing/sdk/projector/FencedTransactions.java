package dev.eventing.sdk.projector;

import java.util.Objects;
import java.util.function.Supplier;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.lease.LeaseLostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * All transactions of a projector, at read committed. Each begins by making sure that
 * this node owns the projector until it ends, so that of two nodes that both believe to
 * own it only one commits. Each is new, whatever surrounds it. Thread-safe.
 */
final class FencedTransactions {

	private static final Logger logger = LoggerFactory.getLogger(FencedTransactions.class);

	private final String projector;

	private final TransactionTemplate transactions;

	private final JdbcOperations jdbc;

	private final Tenure tenure;

	/** Whether each statement sees what was committed before it. */
	private volatile boolean readCommitted;

	private final OpenTransactions open;

	FencedTransactions(String projector, PlatformTransactionManager manager, JdbcOperations jdbc, Tenure tenure,
			OpenTransactions open) {
		this.projector = projector;
		this.transactions = new TransactionTemplate(manager);
		this.transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.jdbc = jdbc;
		this.tenure = tenure;
		this.open = open;
	}

	/**
	 * Redrives and parking see what others have committed since their transactions began.
	 * Asked once, because to say the isolation level costs each transaction a round trip,
	 * and most pools have the right one.
	 */
	private void ensureReadCommitted() {
		if (this.readCommitted) {
			return;
		}
		if (!isReadCommitted()) {
			logger.info("Projector '{}' runs its transactions at read committed, whatever the default is.",
					this.projector);
			this.transactions.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
			if (!isReadCommitted()) {
				throw new IllegalTransactionStateException("Transactions of projector '" + this.projector
						+ "' are not at read committed, although they ask for it. Consider a transaction manager"
						+ " that sets isolation levels, or a pool whose default is read committed.");
			}
		}
		this.readCommitted = true;
	}

	private boolean isReadCommitted() {
		return Objects.requireNonNull(this.transactions.execute((status) -> {
			this.open.join();
			return Boolean.TRUE.equals(this.jdbc
				.queryForObject("select current_setting('transaction_isolation') = 'read committed'", Boolean.class));
		}));
	}

	/**
	 * Runs the action in a transaction.
	 * @throws OwnershipLostException if the projector is another node's; nothing was
	 * changed
	 */
	<T> T execute(Supplier<T> action) {
		return execute(action, false);
	}

	/**
	 * Runs the action in a transaction that is rolled back, so that it leaves nothing but
	 * its answer.
	 * @throws OwnershipLostException if the projector is another node's
	 */
	<T> T look(Supplier<T> action) {
		return execute(action, true);
	}

	private <T> T execute(Supplier<T> action, boolean rollBack) {
		ensureReadCommitted();
		try {
			return Objects.requireNonNull(this.transactions.execute((status) -> {
				this.open.join();
				this.tenure.require();
				if (rollBack) {
					status.setRollbackOnly();
				}
				return action.get();
			}));
		}
		catch (LeaseLostException ex) {
			this.tenure.end();
			throw new OwnershipLostException(this.projector, ex);
		}
		catch (CheckpointMovedException ex) {
			throw giveUp(ex);
		}
	}

	/**
	 * Gives the projector up, because the database is not as its owner left it: nothing
	 * that is in memory holds any more, so it is taken up again from what is stored.
	 * @return what ends the caller
	 */
	OwnershipLostException giveUp(EventingException why) {
		if (!this.tenure.isOver()) {
			logger.warn("Projector '{}' gives itself up and begins again from what is stored: {}", this.projector,
					why.getMessage());
		}
		this.tenure.end();
		return new OwnershipLostException(this.projector, why);
	}

	/**
	 * Runs the action in a transaction.
	 * @throws OwnershipLostException if the projector is another node's; nothing was
	 * changed
	 */
	void run(Runnable action) {
		execute(() -> {
			action.run();
			return true;
		});
	}

}
