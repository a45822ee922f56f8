package dev.eventing.sdk.projector.write;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.projector.write.QueuedWrites.Group;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The queued writes of all handlers of one transaction. The projector executes them on
 * the transaction's connection before the commit. Not thread-safe.
 */
public final class BatchWrites {

	/**
	 * At this number the queued writes are executed, so that a transaction's memory is
	 * bounded.
	 */
	static final int MOST_QUEUED = 10_000;

	private final JdbcOperations jdbc;

	private final QueuedWrites queued = new QueuedWrites();

	private final Additions additions;

	private @Nullable DataAccessException failure;

	/** Executes nothing yet. */
	public BatchWrites(AdditionTargets targets) {
		this.jdbc = targets.jdbc();
		this.additions = new Additions(targets);
	}

	void update(Object key, String sql, @Nullable Object[] args) {
		this.queued.add(key, sql, args);
		if (this.queued.size() >= MOST_QUEUED) {
			flush();
		}
	}

	void add(String table, Map<String, ?> key, Map<String, ? extends Number> deltas) {
		this.additions.add(table, key, deltas);
	}

	/** Begins and ends a call whose writes may belong to any key. */
	void separate() {
		this.queued.separate();
	}

	/**
	 * Call it after a handler has returned, whether it has queued writes or not.
	 * @throws DataAccessException if the handler has caught the failure of an update
	 */
	public void requireUsable() {
		if (this.failure != null) {
			throw this.failure;
		}
	}

	/** Executes all remaining writes, additions last. */
	public void complete() {
		flush();
		this.additions.execute(this.jdbc);
	}

	/**
	 * Executes the updates queued so far. If a handler catches the failure of an update,
	 * the next call throws it again, because PostgreSQL has aborted the transaction.
	 */
	void flush() {
		if (this.failure != null) {
			throw this.failure;
		}
		try {
			this.queued.drain().forEach(this::execute);
		}
		catch (DataAccessException ex) {
			this.failure = ex;
			throw ex;
		}
	}

	private void execute(Group group) {
		List<@Nullable Object[]> rows = group.rows();
		if (rows.size() == 1) {
			// a single update gives the same error as an update by the handler itself
			this.jdbc.update(group.sql(), rows.get(0));
			return;
		}
		boolean differ = rows.stream().mapToInt((row) -> row.length).distinct().count() > 1;
		this.jdbc.batchUpdate(group.sql(), rows, rows.size(), (statement, row) -> {
			if (differ) {
				// one with too few arguments would get others of the write before
				statement.clearParameters();
			}
			new RowSetter(row).setValues(statement);
		});
	}

}
