package dev.eventing.sdk.projector.transaction;

import org.springframework.transaction.TransactionStatus;

/**
 * What all transactions of a projector have in common, from the time at which this node
 * takes it to the time at which it gives it up: that they can be aborted, and the fence.
 * For a generation beside the live one, those that run handlers have its schema and the
 * check of the tables that were written to. Thread-safe.
 */
public interface TransactionStep {

	/** Called in the transaction, before its own statements. */
	void begin(Use use);

	/**
	 * Called in the transaction, after its own statements and before the commit.
	 * @throws GenerationFailedException if it must not commit, and the generation cannot
	 * continue
	 */
	default void complete(Use use, TransactionStatus status) {
		// nothing to check
	}

	/**
	 * Called when a transaction was rolled back because the generation has failed, in
	 * another one, which records it.
	 */
	default void failed(GenerationFailedException why) {
		// nothing to record
	}

	/** The purpose of a transaction. */
	enum Use {

		/** To run handlers. */
		APPLY,

		/** To read. It is rolled back. */
		LOOK,

		/** To write the SDK's own records. */
		NOTE

	}

}
