package dev.eventing.sdk.store;

import java.sql.ResultSet;
import java.sql.SQLException;

import dev.eventing.sdk.event.EventVersions;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads events from the results of queries over rows of the table {@code events}, such as
 * those that a projector has applied. Thread-safe.
 */
public final class EventRows {

	private final JsonMapper mapper;

	private final StoredRows rows;

	/**
	 * Sends no query.
	 * @param mapper binds payloads
	 * @param versions raises old events when they are bound
	 */
	public EventRows(JsonMapper mapper, EventVersions versions) {
		this.mapper = mapper;
		this.rows = new StoredRows(mapper, versions);
	}

	/** The columns that a query selects, in this order and before all others. */
	public String columns() {
		return StoredRows.COLUMNS;
	}

	/**
	 * The event of the current row.
	 * @throws UnreadableEventException if the row is not a readable event
	 */
	public StoredEvent read(ResultSet columns) throws SQLException {
		return this.rows.read(columns);
	}

	/** What binds payloads. */
	public JsonMapper mapper() {
		return this.mapper;
	}

}
