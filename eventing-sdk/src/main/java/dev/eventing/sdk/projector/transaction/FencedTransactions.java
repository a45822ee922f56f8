package dev.eventing.sdk.projector.transaction;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.lease.LeaseLostException;
import dev.eventing.sdk.projector.CheckpointMovedException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.redrive.RedriveRunner;
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
public final class FencedTransactions {

	private static final Logger logger = LoggerFactory.getLogger(FencedTransactions.class);

	private final String projector;

	private final TransactionTemplate transactions;

	/** Of what the SDK writes for itself. */
	private final TransactionTemplate notes;

	private final JdbcOperations jdbc;

	private final ProjectorLease projectorLease;

	/** Whether each statement sees what was committed before it. */
	private volatile boolean readCommitted;

	private final OpenTransactions open;

	private final Duration longestNote;

	/**
	 * Begins no transaction yet.
	 * @param longestNote how long a transaction may take that only {@link #note notes},
	 * at least a second
	 */
	public FencedTransactions(String projector, PlatformTransactionManager manager, JdbcOperations jdbc,
			ProjectorLease projectorLease, OpenTransactions open, Duration longestNote) {
		this.projector = projector;
		this.transactions = new TransactionTemplate(manager);
		this.transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.notes = new TransactionTemplate(manager, this.transactions);
		this.notes.setTimeout(Math.toIntExact(Math.max(1, longestNote.toSeconds())));
		this.jdbc = jdbc;
		this.projectorLease = projectorLease;
		this.open = open;
		this.longestNote = longestNote;
	}

	/**
	 * RedriveRunner and parking see what others have committed since their transactions
	 * began. Asked once, because to say the isolation level costs each transaction a
	 * round trip, and most pools have the right one.
	 */
	private void ensureReadCommitted() {
		if (this.readCommitted) {
			return;
		}
		if (!isReadCommitted()) {
			logger.info("Projector '{}' runs its transactions at read committed, whatever the default is.",
					this.projector);
			this.transactions.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
			this.notes.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
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
	public <T> T execute(Supplier<T> action) {
		return execute(action, this.transactions, this.open::join, false);
	}

	/**
	 * Runs the action in a transaction that is rolled back, so that it leaves nothing but
	 * its answer.
	 * @throws OwnershipLostException if the projector is another node's
	 */
	public <T> T look(Supplier<T> action) {
		return execute(action, this.transactions, this.open::join, true);
	}

	/**
	 * Runs the action, which only notes what the SDK has to know, in a transaction that
	 * is bounded in time: its statements wait for no handler, and are cancelled when they
	 * take too long.
	 * @throws OwnershipLostException if the projector is another node's; nothing was
	 * changed
	 */
	public <T> T note(Supplier<T> action) {
		return execute(action, this.notes, () -> this.open.joinFor(this.longestNote), false);
	}

	private <T> T execute(Supplier<T> action, TransactionTemplate template, Runnable join, boolean rollBack) {
		ensureReadCommitted();
		try {
			return Objects.requireNonNull(template.execute((status) -> {
				join.run();
				this.projectorLease.require();
				if (rollBack) {
					status.setRollbackOnly();
				}
				return action.get();
			}));
		}
		catch (LeaseLostException ex) {
			this.projectorLease.end();
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
	public OwnershipLostException giveUp(EventingException why) {
		if (!this.projectorLease.isOver()) {
			logger.warn("Projector '{}' gives itself up and begins again from what is stored: {}", this.projector,
					why.getMessage());
		}
		this.projectorLease.end();
		return new OwnershipLostException(this.projector, why);
	}

	/** As {@link #note(Supplier)}. */
	public void note(Runnable action) {
		note(() -> {
			action.run();
			return true;
		});
	}

}
