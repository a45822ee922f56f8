package dev.eventing.sdk.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;

/**
 * The statement that checks a stream's version, appends events, and returns their
 * positions, and the highest position before. Its text depends only on the kind of the
 * expected version, so the driver prepares it once per kind.
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

	private final String exact;

	private final String noStream;

	private final String any;

	AppendStatement(EventingSchema schema, boolean notify) {
		String streams = schema.table("streams");
		this.exact = text(EXACT.formatted(streams), schema, notify);
		this.noStream = text(NO_STREAM.formatted(streams), schema, notify);
		this.any = text(ANY.formatted(streams), schema, notify);
	}

	// The insert draws positions only for rows from "head". "head" has no row before the
	// stream's row is written, which locks it until the transaction ends. So the next
	// append to the stream draws higher positions: within a stream, positions ascend with
	// versions. Relies on the primary key of "streams". The snapshot of the statement is
	// older than the positions that it draws, so the highest event in it, at the end of
	// the primary key, must be below them.
	private static String text(String head, EventingSchema schema, boolean notify) {
		return """
				with head as (
				%s
				), appended as (
				insert into %s (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
				select u.event_id, ?, ?, head.version - ? + u.place, u.event_type, u.occurred_at::timestamptz,
				       u.payload::jsonb, u.metadata::jsonb
				  from head, unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[])
				       with ordinality as u (event_id, event_type, occurred_at, payload, metadata, place)
				 order by u.place
				returning global_position, stream_version
				)
				select max(stream_version), min(global_position), max(global_position),
				       (select coalesce(max(global_position), 0) from %s)%s
				  from appended
				having count(*) > 0
				"""
			.formatted(head, schema.table("events"), schema.table("events"),
					notify ? ", pg_notify('" + PostgresNotifications.channel(schema) + "', '')" : "");
	}

	PreparedStatement prepare(Connection connection, TenantId tenantId, String streamId, ExpectedVersion expected,
			List<Event<String>> events) throws SQLException {
		PreparedStatement statement = connection.prepareStatement(text(expected));
		int i = 0;
		statement.setLong(++i, events.size());
		statement.setString(++i, tenantId.value());
		statement.setString(++i, streamId);
		if (expected instanceof ExpectedVersion.Exact exactly) {
			statement.setLong(++i, exactly.version());
		}
		statement.setString(++i, tenantId.value());
		statement.setString(++i, streamId);
		statement.setLong(++i, events.size());
		statement.setArray(++i, connection.createArrayOf("uuid", events.stream().map(Event::id).toArray()));
		statement.setArray(++i, texts(connection, events, Event::type));
		statement.setArray(++i, texts(connection, events, (event) -> event.time().toString()));
		statement.setArray(++i, texts(connection, events, Event::payload));
		statement.setArray(++i, texts(connection, events, StoredMetadata::json));
		return statement;
	}

	private String text(ExpectedVersion expected) {
		if (expected instanceof ExpectedVersion.Exact) {
			return this.exact;
		}
		return (expected instanceof ExpectedVersion.NoStream) ? this.noStream : this.any;
	}

	private static Array texts(Connection connection, List<Event<String>> events, Function<Event<String>, String> text)
			throws SQLException {
		return connection.createArrayOf("text", events.stream().map(text).toArray(String[]::new));
	}

}
