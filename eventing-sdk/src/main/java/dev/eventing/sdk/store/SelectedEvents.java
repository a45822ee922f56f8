package dev.eventing.sdk.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.SqlParameterValue;

/**
 * Reads the events of a tenant, a stream or a time, in the order of positions. First
 * their places are found, and then their contents are read, so that memory never holds
 * more contents than the caller asks for. Every statement runs in the caller's
 * transaction. Only for a caller who knows that no event can appear any more among those
 * it asks for. Thread-safe.
 */
public final class SelectedEvents {

	private final StoredRows rows;

	private final String table;

	private final String streams;

	private final String at;

	SelectedEvents(EventingSchema schema, JsonMapper mapper, EventVersions versions) {
		this.rows = new StoredRows(mapper, versions);
		this.table = schema.table("events");
		this.streams = schema.table("streams");
		this.at = "select %s from %s where global_position = any (?) order by global_position"
			.formatted(StoredRows.COLUMNS, this.table);
	}

	/**
	 * Finds the places of events after a position, up to another one.
	 * @param most the maximum number of places
	 */
	public List<Place> find(JdbcOperations transaction, Selection selection, long after, long upTo, int most) {
		StringBuilder where = new StringBuilder();
		List<@Nullable Object> arguments = new ArrayList<>();
		add(where, arguments, "tenant_id = ?", (selection.tenant() != null) ? selection.tenant().value() : null);
		add(where, arguments, "stream_id = ?", selection.stream());
		add(where, arguments, "occurred_at >= ?", time(selection.from()));
		add(where, arguments, "occurred_at < ?", time(selection.to()));
		add(where, arguments, "global_position > ?", after);
		add(where, arguments, "global_position <= ?", upTo);
		arguments.add(most);
		// A stream by events_stream, in whose order its positions are. Others by a range
		// of the primary key.
		String order = (selection.stream() != null) ? "stream_version" : "global_position";
		return transaction.query("select global_position, text_bytes from %s where %s order by %s limit ?"
			.formatted(this.table, where, order), (row, number) -> new Place(row.getLong(1), row.getInt(2)),
				arguments.toArray());
	}

	private static void add(StringBuilder where, List<@Nullable Object> arguments, String condition,
			@Nullable Object value) {
		if (value != null) {
			where.append(where.isEmpty() ? "" : " and ").append(condition);
			arguments.add(value);
		}
	}

	private static @Nullable SqlParameterValue time(@Nullable Instant time) {
		return (time != null) ? new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE, time.atOffset(ZoneOffset.UTC))
				: null;
	}

	/**
	 * Whether another tenant has a stream of the same id. Reads an index of the table of
	 * streams.
	 */
	public boolean isOfOthers(JdbcOperations transaction, TenantId tenant, String stream) {
		return Boolean.TRUE.equals(transaction.queryForObject(
				"select exists (select from %s where stream_id = ? and tenant_id <> ?)".formatted(this.streams),
				Boolean.class, stream, tenant.value()));
	}

	/**
	 * Reads events by their positions. By the primary key.
	 * @throws UnreadableEventException if one of them cannot be read
	 */
	public List<StoredEvent> read(JdbcOperations transaction, List<Place> places) {
		return transaction.query(this.at,
				(statement) -> statement.setArray(1,
						statement.getConnection()
							.createArrayOf("int8", places.stream().map(Place::position).toArray(Long[]::new))),
				(ResultSetExtractor<List<StoredEvent>>) (row) -> events(row, places.size()));
	}

	private List<StoredEvent> events(ResultSet row, int size) throws SQLException {
		List<StoredEvent> events = new ArrayList<>(size);
		while (row.next()) {
			events.add(this.rows.read(row));
		}
		return events;
	}

	/**
	 * Which events are wanted.
	 *
	 * @param tenant their tenant; null for all
	 * @param stream their stream; null for all
	 * @param from when they occurred at the earliest; null for any time
	 * @param to before when they occurred; null for any time
	 */
	public record Selection(@Nullable TenantId tenant, @Nullable String stream, @Nullable Instant from,
			@Nullable Instant to) {
	}

	/**
	 * The place of an event.
	 *
	 * @param position its position
	 * @param bytes the size of its payload and metadata as texts
	 */
	public record Place(long position, int bytes) {
	}

}
