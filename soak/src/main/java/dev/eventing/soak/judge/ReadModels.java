package dev.eventing.soak.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.eventing.soak.node.Moved;
import dev.eventing.soak.node.Projected;

import org.springframework.jdbc.core.JdbcTemplate;

/** Asks the database how far the projectors are, and in the end whether all is right. */
public final class ReadModels {

	/** An event is what it is by its payload; a message that cannot be read has none. */
	private static final String MOOD = "convert_from(payload, 'UTF8')::jsonb ->> 'mood'";

	/** By the indexes, which begin with the projector or the account. */
	private static final String APPLIED = "select projector from applied where projector in ("
			+ Arrays.stream(Projected.values())
				.map((projected) -> "'" + projected.projector() + "'")
				.collect(Collectors.joining(", "))
			+ ") and account = ? and version = ? union select '" + Projected.STORE_REBUILT.projector() + "' from "
			+ Projected.REBUILT + " where account = ? and version = ?";

	private final JdbcTemplate jdbc;

	private final String hostileSubject;

	/**
	 * Reads a database.
	 * @param hostileSubject subject of unreadable messages, which are not events
	 */
	public ReadModels(JdbcTemplate jdbc, String hostileSubject) {
		this.jdbc = jdbc;
		this.hostileSubject = hostileSubject;
		this.jdbc.setQueryTimeout(10);
	}

	/** How far each projector is. The numbers of events are known. */
	public Map<String, Sample.Progress> progress(long appended, long published) {
		Map<String, Long> applied = counts("select projector, count(*) from applied group by 1 union all select '"
				+ Projected.STORE_REBUILT.projector() + "', count(*) from " + Projected.REBUILT);
		Map<String, Long> letters = counts(
				"select projector_name, count(*) from eventing.dead_letters where subject <> '" + this.hostileSubject
						+ "' and status in ('PARKED', 'REDRIVING') group by 1");
		Map<String, Sample.Progress> all = new HashMap<>();
		for (Projected projected : Projected.values()) {
			String name = projected.projector();
			long expected = (projected.feed() == Projected.Feed.APPENDED) ? appended : published;
			all.put(name,
					new Sample.Progress(expected, applied.getOrDefault(name, 0L), letters.getOrDefault(name, 0L)));
		}
		return all;
	}

	/** Where the read models are, to find later what was committed since. */
	public Place place() {
		return new Place(last("applied"), last(Projected.REBUILT));
	}

	private long last(String table) {
		Long last = this.jdbc.queryForObject("select coalesce(max(seq), 0) from " + table, Long.class);
		return (last != null) ? last : 0;
	}

	/** Which projectors have committed events since then. */
	public Set<String> committedSince(Place place) {
		Set<String> projectors = new HashSet<>(this.jdbc
			.queryForList("select distinct projector from applied where seq > ?", String.class, place.applied()));
		// After a switch it is another table, and its numbers start again.
		if (last(Projected.REBUILT) != place.rebuilt()) {
			projectors.add(Projected.STORE_REBUILT.projector());
		}
		return projectors;
	}

	/** Which projectors have applied this event. */
	public Set<String> applied(Moved event) {
		return new HashSet<>(this.jdbc.queryForList(APPLIED, String.class, event.account(), event.version(),
				event.account(), event.version()));
	}

	private Map<String, Long> counts(String sql) {
		Map<String, Long> all = new TreeMap<>();
		this.jdbc.query(sql, (row) -> {
			all.put(row.getString(1), row.getLong(2));
		});
		return all;
	}

	/** Letters by why they were written, those that were resolved included. */
	public Map<String, Long> letters() {
		return counts("select reason, count(*) from eventing.dead_letters group by 1");
	}

	/** States that must never occur, apart from letters of unreadable messages. */
	public List<String> violations() {
		List<String> found = new ArrayList<>();
		add(found, "applied and an open letter",
				"""
						select d.projector_name, d.reason, d.event_id, d.letter_id
						  from eventing.dead_letters d join eventing.processed_events p using (projector_name, tenant_id, event_id)
						 where d.status in ('PARKED', 'REDRIVING')""");
		add(found, "a letter that its event does not deserve", """
				select projector_name, reason, error_class, error_message, letter_number from eventing.dead_letters
				 where subject <> '%s' and case
				       when reason in ('BEHIND', 'REDRIVE_FAILED') then false
				       when reason = 'ATTEMPTS_EXHAUSTED' then %s = 'PLAIN'
				       else true end""".formatted(this.hostileSubject, MOOD));
		return found;
	}

	/** The differences after all events have been applied. */
	public List<String> differences(Map<String, Long> appended, Map<String, Long> published) {
		List<String> found = new ArrayList<>(violations());
		for (Projected projected : Projected.values()) {
			boolean isAppended = projected.feed() == Projected.Feed.APPENDED;
			String table = (projected == Projected.STORE_REBUILT) ? Projected.REBUILT
					: "(select * from applied where projector = '" + projected.projector() + "') one";
			compare(projected.projector(), table, isAppended ? appended : published, projected.isOrdered(), found);
		}
		return found;
	}

	/** The differences of an idle generation beside the live one. */
	public List<String> differences(String generation, String schema, Map<String, Long> appended) {
		List<String> found = new ArrayList<>();
		compare(generation, schema + "." + Projected.REBUILT, appended, true, found);
		return found;
	}

	/** How many events a generation beside the live one has applied. */
	public long applied(String schema) {
		Long rows = this.jdbc.queryForObject("select count(*) from " + schema + "." + Projected.REBUILT, Long.class);
		return (rows != null) ? rows : 0;
	}

	private void compare(String name, String table, Map<String, Long> expected, boolean ordered, List<String> found) {
		new Comparison(name, expected, rows(table)).addTo(found);
		if (ordered) {
			add(found, name + " applied out of order", """
					select account, version, before from (
					  select account, version, lag(version) over (partition by account order by seq) as before
					    from %s) a
					 where before >= version""".formatted(table));
		}
	}

	private Map<String, Row> rows(String table) {
		Map<String, Row> rows = new TreeMap<>();
		this.jdbc.query(
				"select account, count(*), count(distinct version), max(version) from " + table + " group by account",
				(row) -> {
					rows.put(row.getString(1), new Row(row.getLong(2), row.getLong(3), row.getLong(4)));
				});
		return rows;
	}

	/** The number of letters of unreadable messages, per projector. */
	public Map<String, Long> hostileLetters() {
		return counts("select projector_name, count(*) from eventing.dead_letters where subject = '"
				+ this.hostileSubject + "' group by 1");
	}

	/** The first few say enough. */
	private void add(List<String> found, String what, String sql) {
		List<Map<String, Object>> rows = this.jdbc.queryForList("select * from (" + sql + ") rows limit 5");
		rows.forEach((row) -> found.add(what + ": " + row));
	}

	/**
	 * Where the read models are.
	 *
	 * @param applied the number of the last row of those that share a table
	 * @param rebuilt of the projector with a separate table
	 */
	public record Place(long applied, long rebuilt) {
	}

	/**
	 * What an account's rows come to.
	 *
	 * @param applied how many there are
	 * @param distinct of how many events
	 * @param last the highest version among them
	 */
	record Row(long applied, long distinct, long last) {
	}

}
