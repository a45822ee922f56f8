package dev.eventing.sdk.projector.transaction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.AbortedTransactions;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.jdbc.SuspendingTransactions;
import dev.eventing.sdk.lease.LeaseLostException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.TransactionStep.Use;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * All transactions of a projector, at read committed, with the {@link TransactionStep
 * steps} that they have in common. The first statement of each makes sure that this node
 * owns the projector until the transaction ends. So if two nodes believe that they own
 * the projector, only one of them commits. Each transaction is new, even inside another
 * one. Thread-safe.
 */
public final class FencedTransactions {

	private static final Logger logger = LoggerFactory.getLogger(FencedTransactions.class);

	private final ProjectorId projector;

	private final TransactionTemplate transactions;

	/** For the SDK's own records, with a time limit. */
	private final TransactionTemplate notes;

	private final JdbcOperations jdbc;

	private final ProjectorLease projectorLease;

	private final OpenTransactions open;

	private final AbortedTransactions aborted;

	/** Whether the isolation level is known to be read committed. */
	private volatile boolean readCommitted;

	/** Lets a stop abort the transaction. */
	private final TransactionStep join;

	/** In the order in which a transaction begins. */
	private final List<TransactionStep> steps = new ArrayList<>();

	/**
	 * Does not begin a transaction yet.
	 * @param longestNote the time limit of transactions of {@link #note note}, at least
	 * one second
	 * @param more the steps of each transaction after those of every projector
	 */
	public FencedTransactions(ProjectorId projector, PlatformTransactionManager manager, JdbcOperations jdbc,
			ProjectorLease projectorLease, OpenTransactions open, Duration longestNote, List<TransactionStep> more) {
		this.projector = projector;
		this.transactions = new TransactionTemplate(manager);
		this.transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.notes = new TransactionTemplate(manager, this.transactions);
		this.notes.setTimeout(Math.toIntExact(Math.max(1, longestNote.toSeconds())));
		this.jdbc = jdbc;
		this.aborted = AbortedTransactions.of(jdbc);
		this.projectorLease = projectorLease;
		this.open = open;
		this.join = (use) -> {
			if (use == Use.NOTE) {
				open.joinFor(longestNote);
			}
			else {
				open.join();
			}
		};
		this.steps.add(this.join);
		this.steps.add((use) -> projectorLease.require());
		this.steps.addAll(more);
	}

	/**
	 * Creates transactions that run handlers, through the application's manager.
	 * @param more the steps of each transaction after those of every projector
	 */
	public static FencedTransactions withHandlers(ProjectorEndpoint endpoint, ProjectorServices services,
			ProjectorLease projectorLease, OpenTransactions open, List<TransactionStep> more) {
		return new FencedTransactions(endpoint.id(), services.transactionManager(),
				new JdbcTemplate(services.dataSource()), projectorLease, open, services.jdbc().statementTimeout(),
				more);
	}

	/** As the other method, for the projector and the live generation. */
	public static FencedTransactions withoutHandlers(ProjectorEndpoint endpoint, ProjectorServices services,
			ProjectorLease projectorLease, OpenTransactions open) {
		return withoutHandlers(endpoint, services, projectorLease, open, List.of());
	}

	/**
	 * Creates transactions that run no handlers. Where each transaction with handlers has
	 * one tenant, these have none. So they do not use the application's manager then,
	 * which may ask for the tenant when a transaction begins.
	 * @param more the steps of each transaction after those of every projector
	 */
	public static FencedTransactions withoutHandlers(ProjectorEndpoint endpoint, ProjectorServices services,
			ProjectorLease projectorLease, OpenTransactions open, List<TransactionStep> more) {
		if (!endpoint.options().hasOneTenant()) {
			return withHandlers(endpoint, services, projectorLease, open, more);
		}
		DataSource dataSource = services.dataSource();
		return new FencedTransactions(endpoint.id(), new SuspendingTransactions(dataSource),
				new JdbcTemplate(dataSource), projectorLease, open, services.jdbc().statementTimeout(), more);
	}

	/** As {@link AbortedTransactions#checkBeforeCommit}, for the one of this thread. */
	void checkBeforeCommit() {
		this.aborted.checkBeforeCommit();
	}

	/**
	 * Makes sure that transactions run at read committed, because redrives and parking
	 * must see what other transactions commit after theirs began. Checks the pool's
	 * default once. Setting the level would cost each transaction a round trip, and most
	 * pools already have the right default.
	 */
	private void ensureReadCommitted() {
		if (this.readCommitted) {
			return;
		}
		if (!isReadCommitted()) {
			logger.info(
					"Projector '{}' sets read committed for each of its transactions, because the pool has another default.",
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
		Look look = Objects.requireNonNull(this.transactions.execute((status) -> {
			boolean begun = this.open.hasConnection();
			this.join.begin(Use.LOOK);
			boolean read = Boolean.TRUE.equals(this.jdbc
				.queryForObject("select current_setting('transaction_isolation') = 'read committed'", Boolean.class));
			requireTransaction(this.open.isInTransaction());
			return new Look(begun, read);
		}));
		// With autocommit off, a connection looks like one in a transaction also if no
		// manager will commit it.
		requireTransaction(look.begun() || this.open.isAutoCommit());
		return look.readCommitted();
	}

	/** Else its statements would commit one by one, or not at all. */
	private void requireTransaction(boolean found) {
		if (!found) {
			throw new IllegalTransactionStateException("The transaction manager of projector '" + this.projector
					+ "' begins no transactions of the DataSource with the SDK's tables, so an event and its record could"
					+ " not be committed together. Consider the transaction manager of that DataSource: as the primary"
					+ " one, or named transactionManager.");
		}
	}

	/**
	 * Runs the action in a transaction.
	 * @throws OwnershipLostException if this node does not own the projector, or the
	 * generation has failed; nothing was changed
	 */
	public <T> T execute(Supplier<T> action) {
		return execute(action, this.transactions, Use.APPLY);
	}

	/**
	 * Runs the action in a transaction that is rolled back, and returns the action's
	 * result.
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	public <T> T look(Supplier<T> action) {
		return execute(action, this.transactions, Use.LOOK);
	}

	/**
	 * Runs an action that writes the SDK's own records, in a transaction with a time
	 * limit. Its statements do not wait for handlers. They are cancelled when they take
	 * too long.
	 * @throws OwnershipLostException if this node does not own the projector; nothing was
	 * changed
	 */
	public <T> T note(Supplier<T> action) {
		return execute(action, this.notes, Use.NOTE);
	}

	private <T> T execute(Supplier<T> action, TransactionTemplate template, Use use) {
		ensureReadCommitted();
		try {
			return Objects.requireNonNull(template.execute((status) -> {
				this.steps.forEach((step) -> step.begin(use));
				if (use == Use.LOOK) {
					status.setRollbackOnly();
				}
				T result = action.get();
				this.steps.forEach((step) -> step.complete(use, status));
				return result;
			}));
		}
		catch (GenerationFailedException ex) {
			note(() -> this.steps.forEach((step) -> step.failed(ex)));
			throw giveUp(ex);
		}
		catch (LeaseLostException ex) {
			this.projectorLease.end();
			throw new OwnershipLostException(this.projector, ex);
		}
		catch (SetBackException ex) {
			throw giveUp(ex);
		}
	}

	/**
	 * Gives the projector up, because the database is not in the state in which its owner
	 * left it. What this node has in memory is invalid. The projector restarts from the
	 * stored state.
	 * @return the exception that the caller throws
	 */
	public OwnershipLostException giveUp(EventingException why) {
		if (!this.projectorLease.isOver()) {
			logger.warn("Projector '{}' gives itself up and restarts from the stored state: {}", this.projector,
					why.getMessage());
		}
		this.projectorLease.end();
		return new OwnershipLostException(this.projector, why);
	}

	/** Like {@link #note(Supplier)}, without a result. */
	public void note(Runnable action) {
		note(() -> {
			action.run();
			return true;
		});
	}

	/**
	 * What a first transaction shows.
	 *
	 * @param begun whether its manager had got its connection before the first statement
	 */
	private record Look(boolean begun, boolean readCommitted) {
	}

}
