package dev.eventing.sdk.projector;

import java.util.Objects;
import java.util.function.Supplier;

import dev.eventing.sdk.lease.LeaseLostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * All transactions of a projector. Each begins by making sure that this node owns the
 * projector until it ends, so that of two nodes that both believe to own it only one
 * commits. Each is new, whatever surrounds it. Thread-safe.
 */
final class FencedTransactions {

	private static final Logger logger = LoggerFactory.getLogger(FencedTransactions.class);

	private final String projector;

	private final TransactionTemplate transactions;

	private final Tenure tenure;

	FencedTransactions(String projector, PlatformTransactionManager manager, Tenure tenure) {
		this.projector = projector;
		this.transactions = new TransactionTemplate(manager);
		this.transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.tenure = tenure;
	}

	/**
	 * Runs the action in a transaction.
	 * @throws OwnershipLostException if the projector is another node's; nothing was
	 * changed
	 */
	<T> T execute(Supplier<T> action) {
		try {
			return Objects.requireNonNull(this.transactions.execute((status) -> {
				this.tenure.require();
				return action.get();
			}));
		}
		catch (LeaseLostException ex) {
			this.tenure.end();
			throw new OwnershipLostException(this.projector, ex);
		}
		catch (CheckpointMovedException ex) {
			logger.error("Projector '{}' gives itself up: {}", this.projector, ex.getMessage());
			this.tenure.end();
			throw new OwnershipLostException(this.projector, ex);
		}
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
