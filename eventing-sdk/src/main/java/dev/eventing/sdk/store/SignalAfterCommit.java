package dev.eventing.sdk.store;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Calls the signal after the commit of the transaction with which it is registered. */
record SignalAfterCommit(AppendSignal signal) implements TransactionSynchronization {

	/** Registers with the transaction of this thread, once for all its appends. */
	static void register(AppendSignal signal) {
		// A transaction manager may run without synchronization; then readers find the
		// events with their next poll.
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			return;
		}
		SignalAfterCommit callback = new SignalAfterCommit(signal);
		if (!TransactionSynchronizationManager.getSynchronizations().contains(callback)) {
			TransactionSynchronizationManager.registerSynchronization(callback);
		}
	}

	@Override
	public void afterCommit() {
		this.signal.appended();
	}

}
