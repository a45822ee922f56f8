package dev.eventing.sdk.store;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Tells the signal once the transaction it is registered with has committed. */
record SignalAfterCommit(AppendSignal signal) implements TransactionSynchronization {

	/** Registers with the transaction of this thread, once for all its appends. */
	static void register(AppendSignal signal) {
		// A transaction manager may run without synchronization; then readers find the
		// events with their next look.
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
