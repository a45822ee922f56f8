package dev.eventing.benchmark.sdk;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.OutboxEvent;
import dev.eventing.sdk.event.EventBuilder;
import dev.eventing.sdk.event.EventJson;
import tools.jackson.databind.json.JsonMapper;

/**
 * Fills an event store many streams at a time: the same rows as appending leaves, sooner.
 */
public final class StoredChanges {

	/** The subject by the SDK's default pattern. */
	public static final String SUBJECT = "account.{tenant}." + AccountChanged.TYPE;

	private static final JsonMapper JSON = EventJson.mapper();

	private static final int PAGE = 10_000;

	// The order of the arrays is the order of positions.
	private static final String EVENTS = """
			insert into eventing.events
			       (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
			select u.id, '%s', u.stream, u.version, '%s', now(), u.json::jsonb, ?::jsonb
			  from unnest(?::uuid[], ?::text[], ?::bigint[], ?::text[])
			       with ordinality as u (id, stream, version, json, place)
			 order by u.place""".formatted(AccountChange.TENANT, AccountChanged.TYPE);

	private static final String STREAMS = """
			insert into eventing.streams as s (tenant_id, stream_id, version)
			select '%s', u.stream, max(u.version)
			  from unnest(?::text[], ?::bigint[]) as u (stream, version)
			 group by u.stream
			on conflict (tenant_id, stream_id) do update set version = greatest(s.version, excluded.version)"""
		.formatted(AccountChange.TENANT);

	private static final String CHECKPOINT = """
			insert into eventing.projector_checkpoints (projector_name, position)
			select ?, max(global_position) from eventing.events""";

	private static final String HANDOUT = """
			insert into eventing.projector_handouts (projector_name, handed_out, clean_stop)
			select ?, max(global_position), true from eventing.events""";

	private StoredChanges() {
	}

	/** Adds these events, whose streams are new. */
	static void fill(String jdbcUrl, Iterable<AccountChange> changes) throws SQLException {
		fill(jdbcUrl, changes, 1);
	}

	/** The same as events of this version of their type. */
	public static void fill(String jdbcUrl, Iterable<AccountChange> changes, int version) throws SQLException {
		List<OutboxEvent> page = new ArrayList<>(PAGE);
		for (AccountChange change : changes) {
			page.add(new OutboxEvent(change.id(), change.streamId(), change.version(),
					JSON.writeValueAsString(change.payload())));
			if (page.size() == PAGE) {
				insert(jdbcUrl, page, version);
				page.clear();
			}
		}
		insert(jdbcUrl, page, version);
	}

	/**
	 * Makes a projector that never ran one that has settled all events, so that its live
	 * generation has nothing to do.
	 */
	static void settle(String jdbcUrl, String projector) throws SQLException {
		try (Connection connection = DriverManager.getConnection(jdbcUrl)) {
			for (String sql : List.of(CHECKPOINT, HANDOUT)) {
				try (PreparedStatement statement = connection.prepareStatement(sql)) {
					statement.setString(1, projector);
					statement.executeUpdate();
				}
			}
		}
	}

	static void insert(String jdbcUrl, List<OutboxEvent> events) throws SQLException {
		insert(jdbcUrl, events, 1);
	}

	private static void insert(String jdbcUrl, List<OutboxEvent> events, int version) throws SQLException {
		try (Connection connection = DriverManager.getConnection(jdbcUrl);
				PreparedStatement insert = connection.prepareStatement(EVENTS);
				PreparedStatement streams = connection.prepareStatement(STREAMS);
				Statement analyze = connection.createStatement()) {
			Object[] names = events.stream().map(OutboxEvent::streamId).toArray();
			Object[] versions = events.stream().map(OutboxEvent::version).toArray();
			insert.setString(1, metadata(version));
			insert.setArray(2, connection.createArrayOf("uuid", events.stream().map(OutboxEvent::id).toArray()));
			insert.setArray(3, connection.createArrayOf("text", names));
			insert.setArray(4, connection.createArrayOf("bigint", versions));
			insert.setArray(5, connection.createArrayOf("text", events.stream().map(OutboxEvent::json).toArray()));
			insert.executeUpdate();
			streams.setArray(1, connection.createArrayOf("text", names));
			streams.setArray(2, connection.createArrayOf("bigint", versions));
			streams.executeUpdate();
			analyze.execute("analyze eventing.events, eventing.streams");
		}
	}

	/** As the event store writes it: the first version has no number. */
	private static String metadata(int version) {
		String source = "\"source\": \"" + EventBuilder.DEFAULT_SOURCE + "\"";
		return "{" + source + ((version == 1) ? "" : ", \"typeVersion\": " + version) + "}";
	}

}
