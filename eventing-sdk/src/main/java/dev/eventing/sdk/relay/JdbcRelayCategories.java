package dev.eventing.sdk.relay;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The categories of a relay, in {@code relays}, and those that the event store has. A
 * category is the part of a stream id before its first {@code -}. Thread-safe.
 */
final class JdbcRelayCategories {

	/** A search in the event store may take this time, however large the store is. */
	private static final Duration SEARCHES_WITHIN = Duration.ofSeconds(2);

	/** The number of events that {@link #newest} reads. */
	private static final int NEWEST = 10_000;

	/** The maximum number of categories that {@link #newest} returns. */
	private static final int MOST = 1000;

	private final JdbcTemplate jdbc;

	private final JdbcTemplate searches;

	private final String relay;

	private final String relays;

	private final String events;

	private final String streams;

	/**
	 * Sends no query yet.
	 * @param jdbc the statements on the relay's row, in the transaction of the caller
	 * @param dataSource the searches, each on a connection that is returned after it
	 */
	JdbcRelayCategories(JdbcTemplate jdbc, DataSource dataSource, EventingSchema schema, String relay) {
		this.jdbc = jdbc;
		this.searches = new JdbcTemplate(BoundedDataSource.of(dataSource, SEARCHES_WITHIN));
		this.relay = relay;
		this.relays = schema.table("relays");
		this.events = schema.table("events");
		this.streams = schema.table("streams");
	}

	/** The saved categories. By the primary key. */
	PublishedFrom find() {
		Map<String, Long> positions = new HashMap<>();
		this.jdbc.query("""
				select c.key, c.value::bigint from %s r cross join lateral jsonb_each_text(r.categories) c
				 where r.relay_name = ?""".formatted(this.relays), (row) -> {
			positions.put(row.getString(1), row.getLong(2));
		}, this.relay);
		return new PublishedFrom(positions);
	}

	/**
	 * Saves the categories of a relay that has a row. The caller holds the lock of
	 * {@link JdbcRelayPositions#lock}. By the primary key.
	 */
	void save(PublishedFrom published) {
		List<Map.Entry<String, Long>> all = List.copyOf(published.positions().entrySet());
		this.jdbc.update("""
				update %s set categories = (select jsonb_object_agg(c.category, c.position)
				                              from unnest(?::text[], ?::bigint[]) c (category, position))
				 where relay_name = ?""".formatted(this.relays),
				all.stream().map(Map.Entry::getKey).toArray(String[]::new),
				all.stream().map(Map.Entry::getValue).toArray(Long[]::new), this.relay);
	}

	/**
	 * The categories of the newest events; empty if there are no events. Reads the end of
	 * the primary key.
	 */
	Set<String> newest() {
		return new HashSet<>(this.searches.queryForList("""
				select distinct split_part(stream_id, '-', 1)
				  from (select stream_id from %s order by global_position desc limit ?) newest
				 limit ?""".formatted(this.events), String.class, NEWEST, MOST));
	}

	/**
	 * Those of these categories of which the event store has a stream. Reads the table of
	 * streams, for each until one fits: no index has categories, so the time limit bounds
	 * it.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 * in time
	 */
	Set<String> stored(Set<String> categories) {
		return new HashSet<>(this.searches.queryForList("""
				select c.category from unnest(?::text[]) c (category)
				 where exists (select from %s where split_part(stream_id, '-', 1) = c.category)"""
			.formatted(this.streams), String.class, (Object) categories.toArray(String[]::new)));
	}

	/**
	 * Whether the event store has an event that was passed over. Reads the table of
	 * streams until one fits, and the first event of each stream of such a category, by
	 * the index of the events of a stream.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 * in time
	 */
	boolean hasEventsIn(PublishedFrom gaps) {
		Map<String, Long> named = new HashMap<>(gaps.positions());
		Long others = named.remove(PublishedFrom.OTHERS);
		long ofOthers = (others != null) ? others : 0;
		List<Map.Entry<String, Long>> all = List.copyOf(named.entrySet());
		return Boolean.TRUE.equals(this.searches.queryForObject("""
				select exists (
				    select from %s s
				      left join unnest(?::text[], ?::bigint[]) g (category, until)
				             on g.category = split_part(s.stream_id, '-', 1)
				     cross join lateral (
				           select e.global_position from %s e
				            where e.tenant_id = s.tenant_id and e.stream_id = s.stream_id
				            order by e.stream_version limit 1) first
				     where coalesce(g.until, ?) > 0 and first.global_position <= coalesce(g.until, ?))
				""".formatted(this.streams, this.events), Boolean.class,
				all.stream().map(Map.Entry::getKey).toArray(String[]::new),
				all.stream().map(Map.Entry::getValue).toArray(Long[]::new), ofOthers, ofOthers));
	}

}
