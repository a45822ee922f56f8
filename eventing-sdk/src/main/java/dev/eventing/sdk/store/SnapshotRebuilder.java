package dev.eventing.sdk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.SnapshotRebuild.Failure;
import dev.eventing.sdk.store.StaleSnapshots.Stream;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Replaces the snapshots of other versions of a fold, so that the first load of a stream
 * need not fold all of its events. Runs beside appends and loads: each snapshot is folded
 * from committed events, is stored in a transaction of its own, and never replaces a
 * later one of this version of the fold. Thread-safe.
 */
public final class SnapshotRebuilder {

	private static final int PAGE = 100;

	private static final int MOST_FAILURES = 20;

	private final EventStore store;

	private final StaleSnapshots stale;

	/**
	 * Reads nothing yet.
	 * @param store folds the streams
	 * @param dataSource connects to the database of the store
	 * @param schema the schema of the tables
	 */
	public SnapshotRebuilder(EventStore store, DataSource dataSource, EventingSchema schema) {
		this.store = store;
		this.stale = new StaleSnapshots(dataSource, schema);
	}

	/**
	 * Folds each stream whose snapshot is of another version of the fold, and stores a
	 * snapshot, on the caller's thread. An interrupt ends it after a stream. It may be
	 * repeated at any time: what is done is not due again.
	 * @return what was done. A stream that cannot be folded is listed there, and its
	 * former snapshot stays
	 * @throws IllegalArgumentException if the fold takes no snapshots
	 * @throws IllegalStateException in a transaction, which could store what it then
	 * rolls back
	 * @throws DataAccessException if the database does not answer
	 * @throws TransactionException if it does not answer, too
	 */
	public <S> SnapshotRebuild rebuild(Fold<S> fold, SnapshotRebuildOptions options) {
		if (fold.snapshotEvery() == 0) {
			throw new IllegalArgumentException(
					"Fold '" + fold.name() + "' takes no snapshots. Consider withSnapshotEvery.");
		}
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new IllegalStateException("Snapshots are rebuilt in a transaction. Consider doing so outside of it.");
		}
		Run<S> run = new Run<>(fold, options, this.stale.count(fold, options));
		if (!options.dryRun()) {
			List<Stream> page = this.stale.page(fold, options, null, PAGE);
			while (!page.isEmpty() && run.rebuildAll(page)) {
				options.progress().accept(run.result());
				page = this.stale.page(fold, options, page.get(page.size() - 1), PAGE);
			}
		}
		return run.result();
	}

	/** One rebuild. */
	private final class Run<S> {

		private final Fold<S> fold;

		private final SnapshotRebuildOptions options;

		private final long due;

		private final long begunAt = System.nanoTime();

		private final List<Failure> failures = new ArrayList<>();

		private long written;

		private long spared;

		private long failed;

		private long events;

		private boolean stopped;

		Run(Fold<S> fold, SnapshotRebuildOptions options, long due) {
			this.fold = fold;
			this.options = options;
			this.due = due;
		}

		/** Returns false if it was interrupted. */
		boolean rebuildAll(List<Stream> page) {
			for (Stream stream : page) {
				if (Thread.currentThread().isInterrupted()) {
					this.stopped = true;
					return false;
				}
				rebuild(stream);
				keepRate();
			}
			return true;
		}

		private void rebuild(Stream stream) {
			try {
				TenantId tenantId = stream.tenantId();
				Loaded<S> loaded = SnapshotRebuilder.this.store.load(tenantId, stream.streamId(), this.fold);
				this.events += loaded.version() - loaded.snapshotVersion();
				boolean due = loaded.version() > loaded.snapshotVersion();
				if (due && SnapshotRebuilder.this.store.snapshots()
					.save(tenantId, stream.streamId(), this.fold, loaded.version(), loaded.state())) {
					this.written++;
				}
				else {
					this.spared++;
				}
			}
			catch (DataAccessException | TransactionException ex) {
				throw ex;
			}
			catch (RuntimeException ex) {
				fail(stream, ex);
			}
		}

		/** Messages of other code may quote the state. */
		private void fail(Stream stream, RuntimeException failure) {
			this.failed++;
			if (this.failures.size() < MOST_FAILURES) {
				String problem = (failure instanceof EventingException) ? String.valueOf(failure.getMessage())
						: "The fold threw " + failure.getClass().getName() + ".";
				this.failures.add(new Failure(stream.tenantId(), stream.streamId(), problem));
			}
		}

		/** Ends early if it is interrupted. */
		private void keepRate() {
			if (this.options.rate() == 0) {
				return;
			}
			long dueAt = this.begunAt + this.events * TimeUnit.SECONDS.toNanos(1) / this.options.rate();
			long left = dueAt - System.nanoTime();
			while (left > 0 && !Thread.currentThread().isInterrupted()) {
				LockSupport.parkNanos(this, left);
				left = dueAt - System.nanoTime();
			}
		}

		SnapshotRebuild result() {
			return new SnapshotRebuild(this.due, this.written, this.spared, this.failed, this.events, this.failures,
					this.stopped);
		}

	}

}
