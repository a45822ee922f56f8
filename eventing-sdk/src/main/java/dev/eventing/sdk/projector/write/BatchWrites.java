package dev.eventing.sdk.projector.write;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.write.QueuedWrites.Group;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * What the handlers of one transaction leave to the projector: carried out on the
 * transaction's connection, before its end. Not thread-safe.
 */
public final class BatchWrites {

	/** So many are carried out at once, so that a transaction's memory is bounded. */
	static final int MOST_QUEUED = 10_000;

	private final JdbcOperations jdbc;

	private final QueuedWrites queued = new QueuedWrites();

	private final Additions additions;

	private @Nullable DataAccessException failure;

	public BatchWrites(JdbcOperations jdbc, AdditionTargets targets) {
		this.jdbc = jdbc;
		this.additions = new Additions(targets);
	}

	/**
	 * A writer for one call of a handler. The events of a batch handler may have many
	 * keys, so its writes come behind all before them, and all others behind those.
	 * @param eventKey the key of the event, or of the first one
	 */
	public HandlerWriter writer(HandlerMethod handler, @Nullable String eventKey) {
		if (handler.batch()) {
			this.queued.separate();
		}
		String key = handler.batch() ? null : eventKey;
		return new HandlerWriter(handler, (key != null) ? key : new Object(), this);
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

	/** The call is over whose writes may have any key. */
	void separate() {
		this.queued.separate();
	}

	/** Carries out all that is left, additions last. */
	public void complete() {
		flush();
		this.additions.execute(this.jdbc);
	}

	/**
	 * Carries out the updates queued so far. A handler that catches the failure of one
	 * does not get rid of it: the transaction is broken.
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
			// its error says no more than that of a handler's own update would
			this.jdbc.update(group.sql(), rows.get(0));
			return;
		}
		this.jdbc.batchUpdate(group.sql(), rows, rows.size(),
				(statement, row) -> new ArgumentPreparedStatementSetter(row).setValues(statement));
	}

}
