package dev.eventing.sdk.deadletter.ledger;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The letters that a projector is to run, by their redrives. Letters of one key may be in
 * several redrives, and run in the order of their numbers all the same. Runs in the
 * caller's transaction, at read committed. Thread-safe.
 */
public final class RedriveQueue {

	private static final String WAITING = "projector_name = :projector and status = 'REDRIVING'";

	/**
	 * The letters of a redrive in their order. A letter behind one of a redrive that
	 * waits would only be found to be behind it: its key waits, too.
	 */
	private static final String FREE = """
			and (d.parking_key is null or not exists (
			      select from (select f.status, f.redrive_id from %1$s f
			                    where f.projector_name = :projector and f.parking_key = d.parking_key
			                      and f.status in ('PARKED', 'REDRIVING')
			                    order by f.letter_number limit 1) head
			       where head.status = 'REDRIVING' and head.redrive_id = any(:waiting)))""";

	/**
	 * By {@code dead_letters_redriving}, once per redrive, in its order. The running sum
	 * ends the page before contents are read.
	 */
	private static final String NEXT = """
			select d.*, r.rate_per_second
			  from (select l.*, sum(%3$s) over (order by letter_number rows unbounded preceding) - %3$s as bytes_before
			          from (select q.* from unnest(:redrives, cast(:after as bigint[])) t (redrive, passed)
			                 cross join lateral (
			                   select d.* from %1$s d
			                    where %4$s and d.redrive_id = t.redrive and d.letter_number > t.passed %5$s
			                    order by d.letter_number limit :limit) q
			                union all
			                (select d.* from %1$s d
			                  where %4$s and d.redrive_id is null and d.letter_number > :automatic %5$s
			                  order by d.letter_number limit :limit)
			                 order by letter_number limit :limit) l) d
			  left join %2$s r on r.redrive_id = d.redrive_id
			 where d.bytes_before < :maxBytes
			 order by d.letter_number""";

	private final JdbcClient jdbc;

	private final String letters;

	private final String redrives;

	private final RowMapper<RedriveLetter> rows;

	/**
	 * Sends no query yet.
	 * @param jdbc uses the DataSource that holds the SDK's tables
	 * @param schema the schema of the tables
	 */
	public RedriveQueue(JdbcTemplate jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.letters = schema.table("dead_letters");
		this.redrives = schema.table("dead_letter_redrives");
		DeadLetterRows mapped = new DeadLetterRows(EventJson.mapper());
		this.rows = (row, number) -> new RedriveLetter(mapped.mapRow(row, number), row.getInt("redrive_runs"),
				row.getObject("rate_per_second", Integer.class));
	}

	/** Returns the redrives that have letters of the projector to run. */
	public List<UUID> redrives(ProjectorId projector) {
		// By dead_letters_redriving, one entry for each redrive.
		return this.jdbc
			.sql("""
					with recursive found (redrive_id) as (
					  (select redrive_id from %1$s where %2$s and redrive_id is not null order by redrive_id limit 1)
					  union all
					  select (select redrive_id from %1$s where %2$s and redrive_id > found.redrive_id
					           order by redrive_id limit 1)
					    from found where found.redrive_id is not null)
					select redrive_id from found where redrive_id is not null
					union all
					select :automatic where exists (select from %1$s where %2$s and redrive_id is null)"""
				.formatted(this.letters, WAITING))
			.param("projector", projector.inColumn())
			.param("automatic", RedriveTurn.AUTOMATIC)
			.query(UUID.class)
			.list();
	}

	/**
	 * Returns the next letters to run, in the order of their numbers.
	 * @param turns the redrives whose letters may run
	 * @param waiting other redrives, whose letters come later. Letters behind them, as
	 * far as they are the first of their key, are left out.
	 * @param limit the most letters
	 * @param maxBytes the letters end with the one that reaches this number of bytes
	 */
	public List<RedriveLetter> next(ProjectorId projector, Collection<RedriveTurn> turns, Collection<UUID> waiting,
			int limit, long maxBytes) {
		String free = waiting.isEmpty() ? "" : FREE.formatted(this.letters);
		return this.jdbc.sql(NEXT.formatted(this.letters, this.redrives, DeadLetterRows.BYTES, WAITING, free))
			.param("projector", projector.inColumn())
			.param("redrives", UuidArray.of(turns.stream().map(RedriveTurn::redriveId).toList()))
			.param("after", turns.stream().map(RedriveTurn::after).toArray(Long[]::new))
			.param("automatic", automaticAfter(turns))
			.param("waiting", UuidArray.of(waiting))
			.param("limit", limit)
			.param("maxBytes", maxBytes)
			.query(this.rows)
			.list();
	}

	private static long automaticAfter(Collection<RedriveTurn> turns) {
		return turns.stream()
			.filter((turn) -> turn.redriveId().equals(RedriveTurn.AUTOMATIC))
			.mapToLong(RedriveTurn::after)
			.findFirst()
			.orElse(Long.MAX_VALUE);
	}

}
