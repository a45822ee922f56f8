package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

import javax.sql.DataSource;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventContext;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.InvalidEventException;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The streams of events: appending to one, and reading one. Thread-safe.
 */
public final class EventStore {

	private final JdbcTemplate jdbc;

	private final EventDrafts drafts;

	private final AppendSignal signal;

	private final AppendStatement statement;

	private final String version;

	/**
	 * Looks at no database yet.
	 * @param dataSource whose transactions events are appended in
	 * @param schema where the tables are
	 * @param mapper writes and binds payloads
	 * @param signal told after each commit of a transaction that appended
	 * @param options how events are appended
	 * @param clock when events that say no time occurred
	 */
	public EventStore(DataSource dataSource, EventingSchema schema, JsonMapper mapper, AppendSignal signal,
			StoreOptions options, Clock clock) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.drafts = new EventDrafts(new EventWriter(mapper), options.source(), clock);
		this.signal = signal;
		this.statement = new AppendStatement(schema, options.notifies());
		// One look into the primary key.
		this.version = "select version from %s where tenant_id = ? and stream_id = ?"
			.formatted(schema.table("streams"));
	}

	/** As {@link #append(TenantId, String, ExpectedVersion, List)}. */
	public AppendResult append(TenantId tenantId, String streamId, ExpectedVersion expected, NewEvent... events) {
		return append(tenantId, streamId, expected, List.of(events));
	}

	/**
	 * Appends events to a stream in the caller's transaction: they exist once it commits,
	 * and a rollback or a crash leaves nothing of them. One round trip for any number of
	 * events. From then on until the transaction ends, others who append to the stream
	 * wait, without a time-out of their own, so append late and commit soon; readers of
	 * the log wait behind the positions drawn here too. What an event does not say of
	 * correlation, cause and actor comes from {@link EventContext#current}.
	 * @param expected what the stream's version must be. In a transaction of isolation
	 * REPEATABLE READ or above, a version that changed since its snapshot is an error of
	 * the database that ends the transaction, in place of a conflict.
	 * @param events one or more
	 * @throws VersionConflictException if the stream has another version; nothing was
	 * written, and the transaction can go on
	 * @throws AppendOutsideTransactionException if no transaction is active on the
	 * connection
	 * @throws DuplicateEventIdException if the tenant has an event with one of the ids,
	 * or two of these have the same; the transaction can only be rolled back
	 * @throws UnstorablePayloadException if a payload is no JSON that PostgreSQL keeps;
	 * nothing was sent to the database
	 * @throws dev.eventing.sdk.event.PayloadWritingException if a payload cannot be
	 * written as JSON; nothing was sent to the database
	 * @throws InvalidEventException if the stream's id or an attribute of an event is not
	 * valid, or there is no event; nothing was sent to the database
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	public AppendResult append(TenantId tenantId, String streamId, ExpectedVersion expected, List<NewEvent> events) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new AppendOutsideTransactionException(streamId, "none is active on this thread");
		}
		List<Event<String>> storable = this.drafts.complete(tenantId, streamId, events);
		AppendResult result = execute(tenantId, streamId, expected, storable);
		if (result == null) {
			throw new VersionConflictException(tenantId, streamId, expected, version(tenantId, streamId));
		}
		SignalAfterCommit.register(this.signal);
		return result;
	}

	/** The number of events in the stream; 0 if it does not exist. */
	public long version(TenantId tenantId, String streamId) {
		List<Long> versions = this.jdbc.queryForList(this.version, Long.class, tenantId.value(), streamId);
		return versions.isEmpty() ? 0 : versions.get(0);
	}

	private @Nullable AppendResult execute(TenantId tenantId, String streamId, ExpectedVersion expected,
			List<Event<String>> events) {
		try {
			List<AppendResult> results = this.jdbc
				.query((connection) -> statement(connection, tenantId, streamId, expected, events), EventStore::result);
			return results.isEmpty() ? null : results.get(0);
		}
		catch (DuplicateKeyException ex) {
			if (String.valueOf(ex.getMessage()).contains("events_event")) {
				throw new DuplicateEventIdException(tenantId, streamId, ex);
			}
			throw ex;
		}
	}

	private PreparedStatement statement(Connection connection, TenantId tenantId, String streamId,
			ExpectedVersion expected, List<Event<String>> events) throws SQLException {
		// A transaction of another DataSource leaves this connection to itself.
		if (connection.getAutoCommit()) {
			throw new AppendOutsideTransactionException(streamId, "the active one belongs to another DataSource");
		}
		return this.statement.prepare(connection, tenantId, streamId, expected, events);
	}

	private static AppendResult result(ResultSet row, int number) throws SQLException {
		return new AppendResult(row.getLong(1), row.getLong(2), row.getLong(3));
	}

}
