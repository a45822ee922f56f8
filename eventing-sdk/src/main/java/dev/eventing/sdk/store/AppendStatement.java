package dev.eventing.sdk.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.util.ConcurrentLruCache;

/**
 * The statement that checks a stream's version, appends events, and returns their
 * positions, and the highest position before. Its text depends only on the kind of the
 * expected version, so the driver prepares it once per kind. If listeners take part, it
 * also evaluates their guards, and returns the events; then its text depends on the
 * guards, too.
 */
final class AppendStatement {

	/** Waits for a transaction that appends to the stream, then reads the new version. */
	private static final String EXACT = """
			update %s set version = version + ? where tenant_id = ? and stream_id = ? and version = ?
			returning version""";

	/** Waits for a transaction that creates the stream. */
	private static final String NO_STREAM = """
			insert into %s (version, tenant_id, stream_id) values (?, ?, ?)
			on conflict (tenant_id, stream_id) do nothing
			returning version""";

	private static final String ANY = """
			insert into %s as s (version, tenant_id, stream_id) values (?, ?, ?)
			on conflict (tenant_id, stream_id) do update set version = s.version + excluded.version
			returning version""";

	/** The column behind those of the events: the highest position before. */
	static final int HIGHEST_BEFORE = 12;

	private final String streams;

	private final String events;

	private final String notification;

	private final String exact;

	private final String noStream;

	private final String any;

	/** Texts with guards that were used last. A listener has few guards. */
	private final ConcurrentLruCache<Guarded, String> guarded = new ConcurrentLruCache<>(64, this::text);

	AppendStatement(EventingSchema schema, boolean notify) {
		this.streams = schema.table("streams");
		this.events = schema.table("events");
		this.notification = notify ? ", pg_notify('" + PostgresNotifications.channel(schema) + "', '')" : "";
		this.exact = text(EXACT);
		this.noStream = text(NO_STREAM);
		this.any = text(ANY);
	}

	/** Returns one row, or none after a conflict. */
	private String text(String head) {
		return text(head, "", "head", "global_position, stream_version", """
				select max(stream_version), min(global_position), max(global_position),
				       (select coalesce(max(global_position), 0) from %s)%s
				  from appended
				having count(*) > 0""".formatted(this.events, this.notification));
	}

	/**
	 * Returns a row per event, with the results of the guards, or none after a conflict.
	 */
	private String text(Guarded guarded) {
		StringBuilder guards = new StringBuilder();
		StringBuilder results = new StringBuilder();
		StringBuilder ends = new StringBuilder();
		String last = "head";
		// Each guard selects from the one before it, and the insert from the last one. So
		// they are evaluated one after the other, before a position is drawn.
		for (int at = 1; at <= guarded.guards().size(); at++) {
			AppendGuard guard = guarded.guards().get(at - 1);
			guards.append(", guard_%1$s as materialized (select g.*, (%2$s)::text as result_%1$s from %3$s g)"
				.formatted(at, guard.sql(), last));
			results.append(", result_").append(at);
			last = "guard_" + at;
			if (guard.end() != null) {
				// Volatile, so it is evaluated after the sort, which has read all events.
				ends.append(", ").append(guard.end());
			}
		}
		return text(guarded.head(), guards.toString(), last + " as head", StoredRows.STORED, """
				select %s, (select coalesce(max(global_position), 0) from %s)%s%s%s
				  from appended, %s
				 order by stream_version""".formatted(StoredRows.COLUMNS, this.events, results, this.notification, ends,
				last));
	}

	// The insert draws positions only for rows from "head". "head" has no row before the
	// stream's row is written, which locks it until the transaction ends. So the next
	// append to the stream draws higher positions: within a stream, positions ascend with
	// versions. Relies on the primary key of "streams". The snapshot of the statement is
	// older than the positions that it draws, so the highest event in it, at the end of
	// the primary key, must be below them.
	private String text(String head, String guards, String last, String returned, String result) {
		return """
				with head as (
				%s
				)%s, appended as (
				insert into %s (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
				select u.event_id, ?, ?, head.version - ? + u.place, u.event_type, u.occurred_at::timestamptz,
				       u.payload::jsonb, u.metadata::jsonb
				  from %s, unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[])
				       with ordinality as u (event_id, event_type, occurred_at, payload, metadata, place)
				 order by u.place
				returning %s
				)
				%s
				"""
			.formatted(head.formatted(this.streams), guards, this.events, last, returned, result);
	}

	/**
	 * Prepares the statement.
	 * @throws WrongTransactionException if the connection is in no transaction
	 */
	PreparedStatement prepare(Connection connection, PendingAppend append, List<AppendListeners.Part> listening)
			throws SQLException {
		// A transaction of another DataSource leaves this connection as the pool lends
		// it.
		if (connection.getAutoCommit()) {
			throw outsideTransaction(append.streamId(), "the active one belongs to another DataSource");
		}
		PreparedStatement statement = connection.prepareStatement(text(append.expected(), listening));
		List<Event<String>> events = append.events();
		String tenantId = append.tenantId().value();
		int i = 0;
		statement.setLong(++i, events.size());
		statement.setString(++i, tenantId);
		statement.setString(++i, append.streamId());
		if (append.expected() instanceof ExpectedVersion.Exact exactly) {
			statement.setLong(++i, exactly.version());
		}
		statement.setString(++i, tenantId);
		statement.setString(++i, append.streamId());
		statement.setLong(++i, events.size());
		statement.setArray(++i, connection.createArrayOf("uuid", events.stream().map(Event::id).toArray()));
		statement.setArray(++i, texts(connection, events, Event::type));
		statement.setArray(++i, texts(connection, events, (event) -> event.time().toString()));
		statement.setArray(++i, texts(connection, events, Event::payload));
		statement.setArray(++i, texts(connection, events, StoredMetadata::json));
		return statement;
	}

	static WrongTransactionException outsideTransaction(String streamId, String why) {
		return WrongTransactionException.outside("Events are appended to stream " + Quoted.of(streamId), why);
	}

	/**
	 * Spring calls after the completion of a transaction what belongs to it no more, and
	 * still says that it is active.
	 */
	static WrongTransactionException afterTransaction(String streamId) {
		return new WrongTransactionException("Events are appended to stream " + Quoted.of(streamId)
				+ " in a call after the end of a transaction, and nothing would commit them. Consider"
				+ " @Transactional(propagation = REQUIRES_NEW) on the calling method, or"
				+ " @TransactionalEventListener(phase = BEFORE_COMMIT).");
	}

	private String text(ExpectedVersion expected, List<AppendListeners.Part> listening) {
		if (expected instanceof ExpectedVersion.Exact) {
			return listening.isEmpty() ? this.exact : guarded(EXACT, listening);
		}
		if (expected instanceof ExpectedVersion.NoStream) {
			return listening.isEmpty() ? this.noStream : guarded(NO_STREAM, listening);
		}
		return listening.isEmpty() ? this.any : guarded(ANY, listening);
	}

	private String guarded(String head, List<AppendListeners.Part> listening) {
		List<AppendGuard> guards = listening.stream().map(AppendListeners.Part::guard).toList();
		return this.guarded.get(new Guarded(head, guards));
	}

	private static Array texts(Connection connection, List<Event<String>> events, Function<Event<String>, String> text)
			throws SQLException {
		return connection.createArrayOf("text", events.stream().map(text).toArray(String[]::new));
	}

	/**
	 * What a text with guards depends on.
	 *
	 * @param head the statement for the stream's row
	 * @param guards in their order
	 */
	private record Guarded(String head, List<AppendGuard> guards) {
	}

}
