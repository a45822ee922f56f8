package dev.eventing.sdk.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.event.EventContext;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.InvalidEventException;
import dev.eventing.sdk.event.PayloadWritingException;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * Appends events to a stream, and reads the events of a stream. Thread-safe.
 */
public final class EventStore {

	private final JdbcTemplate jdbc;

	private final EventDrafts drafts;

	private final AppendTransactions transactions;

	private final AppendStatement statement;

	private final AppendListeners listeners;

	private final StoredRows rows;

	private final StreamPages pages;

	private final Snapshots snapshots;

	private final StreamStates states;

	private final String events;

	private final String version;

	/**
	 * Does not access the database yet.
	 * @param dataSource events are appended in its transactions
	 * @param schema the schema of the tables
	 * @param mapper writes and binds payloads
	 * @param signal called after each commit of a transaction that appended events
	 * @param options how events are appended
	 * @param clock sets the time of events that have none
	 */
	public EventStore(DataSource dataSource, EventingSchema schema, JsonMapper mapper, AppendSignal signal,
			StoreOptions options, Clock clock) {
		this(dataSource, schema, mapper, signal, options, clock, new EventWriter(mapper));
	}

	/**
	 * With the writer of the events that the application publishes, so that one type of
	 * event has one class in all of the application. Its upcasters raise old events when
	 * they are bound.
	 */
	public EventStore(DataSource dataSource, EventingSchema schema, JsonMapper mapper, AppendSignal signal,
			StoreOptions options, Clock clock, EventWriter writer) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.drafts = new EventDrafts(writer, options.source(), clock);
		this.rows = new StoredRows(mapper, writer.versions());
		this.pages = new StreamPages(this.jdbc, schema, this.rows);
		this.snapshots = new Snapshots(dataSource, schema, mapper);
		this.states = new StreamStates(this.pages, this.snapshots);
		this.statement = new AppendStatement(schema, options.notifies());
		this.listeners = new AppendListeners(List.of());
		this.events = schema.table("events");
		this.transactions = new AppendTransactions(dataSource, this.events, signal);
		// One lookup by the primary key.
		this.version = "select version from %s where tenant_id = ? and stream_id = ?"
			.formatted(schema.table("streams"));
	}

	private EventStore(EventStore store, AppendListeners listeners) {
		this.jdbc = store.jdbc;
		this.drafts = store.drafts;
		this.transactions = store.transactions;
		this.statement = store.statement;
		this.listeners = listeners;
		this.rows = store.rows;
		this.pages = store.pages;
		this.snapshots = store.snapshots;
		this.states = store.states;
		this.events = store.events;
		this.version = store.version;
	}

	/**
	 * The same store with these listeners in place of its own.
	 * @throws dev.eventing.sdk.EventingException if two have the same name
	 */
	public EventStore withListeners(List<? extends AppendListener> listeners) {
		return new EventStore(this, new AppendListeners(listeners));
	}

	/** As {@link #append(TenantId, String, ExpectedVersion, List)}. */
	public AppendResult append(TenantId tenantId, String streamId, ExpectedVersion expected, NewEvent... events) {
		return append(tenantId, streamId, expected, List.of(events));
	}

	/**
	 * Appends events to a stream in the caller's transaction: they exist once it commits,
	 * and a rollback or a crash leaves nothing of them. One round trip for any number of
	 * events. Until the transaction ends, other appends to the stream wait, without a
	 * time-out of their own. Readers of the log also wait at the positions drawn here. So
	 * append late and commit soon. If an event has no correlation, cause or actor,
	 * {@link EventContext#current} supplies it.
	 * @param expected the required version of the stream. With isolation level REPEATABLE
	 * READ or above, a version that changed since the transaction's snapshot causes a
	 * database error that aborts the transaction, instead of a conflict.
	 * @param events one or more
	 * @throws VersionConflictException if the stream has another version; nothing was
	 * written, and the transaction can continue
	 * @throws WrongTransactionException if no transaction is active on the connection, or
	 * it has completed, as where Spring calls a {@code @TransactionalEventListener} after
	 * the commit. It is not thrown in {@code afterCommit} of a synchronization, and where
	 * the pool disables autocommit not in a transaction of another DataSource: the events
	 * may be lost, and with few exceptions the log says so.
	 * @throws DuplicateEventIdException if the tenant has an event with one of the ids,
	 * or two of the new events have the same id; the transaction can only be rolled back
	 * @throws PayloadWritingException if a payload cannot be written as JSON that
	 * PostgreSQL can store; nothing was sent to the database
	 * @throws InvalidEventException if the stream's id or an attribute of an event is not
	 * valid, an event's type is that of another class of the application, or there is no
	 * event; nothing was sent to the database
	 * @throws UnsafePositionsException if the sequence draws positions that events have
	 * already, or lower ones than theirs; the transaction can only be rolled back
	 * @throws AppendInListenerException if a listener of a store calls it; nothing was
	 * sent to the database for this append
	 * @throws RuntimeException whatever an {@link AppendListener} throws; see there
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public AppendResult append(TenantId tenantId, String streamId, ExpectedVersion expected, List<NewEvent> events) {
		requireTransaction(streamId);
		return append(prepare(tenantId, streamId, expected, events));
	}

	/**
	 * Checks and completes events as an append does, with the {@link EventContext#current
	 * context} of this thread, and sends nothing.
	 * @param expected the version that the stream must have at the append
	 * @param events one or more
	 * @throws PayloadWritingException if a payload cannot be written as JSON that
	 * PostgreSQL can store
	 * @throws InvalidEventException if the stream's id or an attribute of an event is not
	 * valid, an event's type is that of another class of the application, or there is no
	 * event
	 */
	public PendingAppend prepare(TenantId tenantId, String streamId, ExpectedVersion expected, List<NewEvent> events) {
		return new PendingAppend(tenantId, streamId, expected, this.drafts.complete(tenantId, streamId, events));
	}

	/**
	 * Appends events that were {@link #prepare prepared}, as the other methods do. Throws
	 * what they throw, but for what is wrong with an event itself.
	 */
	public AppendResult append(PendingAppend append) {
		TenantId tenantId = append.tenantId();
		String streamId = append.streamId();
		requireTransaction(streamId);
		List<AppendListeners.Part> listening = this.listeners.before(append);
		AppendResult result = listening.isEmpty() ? insert(append) : insert(append, listening);
		if (result == null) {
			throw new VersionConflictException(tenantId, streamId, append.expected(), version(tenantId, streamId));
		}
		this.transactions.appended(streamId, result.lastPosition());
		return result;
	}

	private static void requireTransaction(String streamId) {
		AppendTransactions.requireActive(streamId);
		AppendListeners.requireNoCall(streamId);
	}

	/** Events are appended in its transactions. */
	public DataSource dataSource() {
		return Objects.requireNonNull(this.jdbc.getDataSource());
	}

	/** As {@link #append(TenantId, String, Loaded, List)}. */
	public AppendResult append(TenantId tenantId, String streamId, Loaded<?> loaded, NewEvent... events) {
		return append(tenantId, streamId, loaded, List.of(events));
	}

	/**
	 * Appends events that were decided on a loaded state, if the stream still has the
	 * loaded version. If a snapshot is due, it stores one of that version in the same
	 * transaction. It is folded once more for that, before the append: what the caller
	 * has changed in the loaded state is not in it.
	 * @throws PayloadWritingException also if a snapshot is due and its state cannot be
	 * stored
	 * @see #append(TenantId, String, ExpectedVersion, List)
	 * @see #load
	 */
	public AppendResult append(TenantId tenantId, String streamId, Loaded<?> loaded, List<NewEvent> events) {
		requireTransaction(streamId);
		// Before the append, so that no other append and no reader of the log waits for
		// it.
		Snapshots.Due due = this.states.due(tenantId, streamId, loaded);
		AppendResult result = append(tenantId, streamId, loaded.expected(), events);
		// Not earlier: a transaction must lock the stream's row before the row of its
		// snapshot, or two transactions could deadlock.
		if (due != null) {
			this.snapshots.save(tenantId, streamId, due);
		}
		return result;
	}

	/**
	 * The state of a stream: the latest snapshot, if the fold uses snapshots, and all
	 * events after it. Events whose content was erased count for the version only. Memory
	 * use depends on the state, not on the length of the stream. Sees earlier appends of
	 * the caller's transaction.
	 * @throws dev.eventing.sdk.event.UnknownEventTypeException or any other exception of
	 * the fold
	 * @throws dev.eventing.sdk.event.NewerEventException if the fold binds an event that
	 * newer code has written
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public <S> Loaded<S> load(TenantId tenantId, String streamId, Fold<S> fold) {
		return this.states.load(tenantId, streamId, fold);
	}

	/** All events of a stream; see {@link #readStream(TenantId, String, long, long)}. */
	public Stream<StoredEvent> readStream(TenantId tenantId, String streamId) {
		return readStream(tenantId, streamId, 1, Long.MAX_VALUE);
	}

	/**
	 * The events of a stream in the order of their versions. Reads page by page while it
	 * is consumed, each page in the caller's transaction if there is one, and keeps
	 * neither a cursor nor a connection between pages. It need not be closed.
	 * @param from the first version, 1 or above
	 * @param to the last version; the stream may end before it
	 * @throws org.springframework.dao.DataAccessException while it is consumed, if the
	 * database does not answer
	 */
	public Stream<StoredEvent> readStream(TenantId tenantId, String streamId, long from, long to) {
		return this.pages.read(tenantId, streamId, from, to);
	}

	/** The snapshots from which {@link #load} starts. */
	public Snapshots snapshots() {
		return this.snapshots;
	}

	/** The number of events in the stream; 0 if it does not exist. */
	public long version(TenantId tenantId, String streamId) {
		List<Long> versions = this.jdbc.queryForList(this.version, Long.class, tenantId.value(), streamId);
		return versions.isEmpty() ? 0 : versions.get(0);
	}

	private @Nullable AppendResult insert(PendingAppend append) {
		List<AppendResult> results = execute(append, List.of(), this::result);
		return results.isEmpty() ? null : results.get(0);
	}

	private @Nullable AppendResult insert(PendingAppend append, List<AppendListeners.Part> listening) {
		List<@Nullable String> guards = new ArrayList<>(listening.size());
		List<StoredEvent> stored = execute(append, listening, (row, number) -> event(row, number, listening, guards));
		if (stored.isEmpty()) {
			return null;
		}
		AppendedEvents appended = new AppendedEvents(append.tenantId(), append.streamId(), stored);
		AppendListeners.appended(listening, appended, guards, this.jdbc);
		return appended.result();
	}

	private <T> List<T> execute(PendingAppend append, List<AppendListeners.Part> listening, RowMapper<T> rows) {
		try {
			return this.jdbc.query((connection) -> this.statement.prepare(connection, append, listening), rows);
		}
		catch (DuplicateKeyException ex) {
			if (String.valueOf(ex.getMessage()).contains("events_event")) {
				throw new DuplicateEventIdException(append.tenantId(), append.streamId(), ex);
			}
			if (String.valueOf(ex.getMessage()).contains("events_pkey")) {
				throw UnsafePositionsException.drawnTwice(this.events, ex);
			}
			throw ex;
		}
	}

	/** Each row also has the results of the guards. */
	private StoredEvent event(ResultSet row, int number, List<AppendListeners.Part> listening,
			List<@Nullable String> guards) throws SQLException {
		StoredEvent event = this.rows.read(row);
		if (number == 0) {
			requireAbove(event.position(), event.position(), row.getLong(AppendStatement.HIGHEST_BEFORE));
			for (int at = 1; at <= listening.size(); at++) {
				guards.add(row.getString(AppendStatement.HIGHEST_BEFORE + at));
			}
		}
		return event;
	}

	private AppendResult result(ResultSet row, int number) throws SQLException {
		AppendResult result = new AppendResult(row.getLong(1), row.getLong(2), row.getLong(3));
		requireAbove(result.firstPosition(), result.lastPosition(), row.getLong(4));
		return result;
	}

	/**
	 * Readers may be past a position that is not above all earlier ones, even if no event
	 * has it.
	 */
	private void requireAbove(long first, long last, long highest) {
		if (first <= highest) {
			throw UnsafePositionsException.drawnBehind(this.events, last, highest);
		}
	}

}
