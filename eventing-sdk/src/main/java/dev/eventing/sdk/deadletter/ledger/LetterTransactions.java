package dev.eventing.sdk.deadletter.ledger;

import java.util.function.Supplier;

import dev.eventing.sdk.jdbc.SeparateTransactions;

import org.springframework.dao.PessimisticLockingFailureException;

/**
 * The transactions of operators' requests. They are never the caller's, so that a request
 * is kept if that one rolls back. They are at read committed, because a statement must
 * see what was committed while the one before it waited for a lock. Thread-safe.
 */
final class LetterTransactions {

	private static final int TRIES = 3;

	private final SeparateTransactions transactions;

	LetterTransactions(SeparateTransactions transactions) {
		this.transactions = transactions;
	}

	<T> T read(Supplier<T> work) {
		return this.transactions.read(work);
	}

	/**
	 * Runs the work, up to three times if it cannot get a lock, for example after a
	 * deadlock. Locks are taken in the order of letter numbers, but letters that are
	 * added meanwhile can still cause a deadlock.
	 */
	<T> T write(Supplier<T> work) {
		for (int attempt = 1;; attempt++) {
			try {
				return this.transactions.write(work);
			}
			catch (PessimisticLockingFailureException ex) {
				if (attempt == TRIES) {
					throw ex;
				}
			}
		}
	}

}
