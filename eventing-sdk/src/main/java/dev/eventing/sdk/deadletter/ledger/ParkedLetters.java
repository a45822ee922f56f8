package dev.eventing.sdk.deadletter.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.AppliedEvents;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The open letters of keys, and the events that are parked after them. A letter is open
 * until it is resolved or discarded. Runs in the caller's transaction, at read committed.
 * Thread-safe.
 */
public final class ParkedLetters {

	private static final String OPEN = "status in ('PARKED', 'REDRIVING')";

	private static final long BATCH_BYTES = 4 << 20;

	private final JdbcClient jdbc;

	private final String table;

	private final LetterInserts followers;

	/**
	 * Sends no query yet.
	 * @param jdbc uses the DataSource that holds the SDK's tables
	 * @param schema the schema of the tables
	 */
	public ParkedLetters(JdbcTemplate jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.table = schema.table("dead_letters");
		this.followers = new LetterInserts(jdbc, schema,
				"not " + new AppliedEvents(schema).has(":projector", ":eventId", ":tenantId"));
	}

	/** Returns the keys of the projector that have an open letter. */
	public Set<String> openKeys(ProjectorId projector) {
		// An index-only scan of dead_letters_open_key, once per owner.
		return new HashSet<>(this.jdbc.sql("""
				select distinct parking_key from %s
				 where projector_name = :projector and %s and parking_key is not null
				""".formatted(this.table, OPEN)).param("projector", projector.inColumn()).query(String.class).list());
	}

	/**
	 * Returns those of the keys that have an open letter, each with its last one. The
	 * last and not the first, because a transaction that closes letters locks it after
	 * all others of the key.
	 */
	public Map<String, UUID> lastOpen(ProjectorId projector, Collection<String> parkingKeys) {
		Map<String, UUID> last = new LinkedHashMap<>();
		// dead_letters_open_key gives the last letter of each key.
		this.jdbc.sql("""
				select k, last.letter_id
				  from unnest(array[:keys]::text[]) k,
				       lateral (select letter_id from %s
				                 where projector_name = :projector and parking_key = k and %s
				                 order by letter_number desc limit 1) last""".formatted(this.table, OPEN))
			.param("keys", parkingKeys)
			.param("projector", projector.inColumn())
			.query((row) -> {
				last.put(row.getString(1), row.getObject(2, UUID.class));
			});
		return last;
	}

	/**
	 * Locks letters, so that they stay open until the caller's transaction ends. A
	 * transaction that closes them afterwards sees what was parked after them. Does not
	 * wait, because a redrive locks letters while handlers run.
	 * @return the letters that are locked; the others are being changed, or are closed
	 */
	public Set<UUID> hold(Collection<UUID> letterIds) {
		// By the primary key. The foreign key of an audit entry locks the letter too, but
		// does not conflict with this lock.
		return new HashSet<>(this.jdbc.sql("""
				select letter_id from %s
				 where letter_id = any(:letterIds) and %s
				   for no key update skip locked""".formatted(this.table, OPEN))
			.param("letterIds", UuidArray.of(letterIds))
			.query(UUID.class)
			.list());
	}

	/** Returns the key's first open letter. */
	public Optional<UUID> first(ProjectorId projector, String parkingKey) {
		// The first entry of dead_letters_open_key.
		return this.jdbc.sql("""
				select letter_id from %s
				 where projector_name = :projector and parking_key = :key and %s
				 order by letter_number limit 1""".formatted(this.table, OPEN))
			.param("projector", projector.inColumn())
			.param("key", parkingKey)
			.query(UUID.class)
			.optional();
	}

	/** Returns the number of open letters of the key, at most the limit. */
	public int count(ProjectorId projector, String parkingKey, int limit) {
		// Reads at most that many entries of dead_letters_open_key.
		return this.jdbc.sql("""
				select count(*) from (select from %s
				                       where projector_name = :projector and parking_key = :key and %s
				                       limit :limit) open""".formatted(this.table, OPEN))
			.param("projector", projector.inColumn())
			.param("key", parkingKey)
			.param("limit", limit)
			.query(Integer.class)
			.single();
	}

	/**
	 * Parks events in this order, each with its parking key, after letters that are
	 * {@link #hold held}. Two round trips for every few megabytes.
	 * @return for each event whether it was parked; if not, it was applied before or has
	 * an open letter
	 * @throws dev.eventing.sdk.schema.UnsafeTablesException if one got a number that is
	 * not above those of earlier letters; the transaction must be rolled back
	 */
	public List<Boolean> park(List<NewDeadLetter> followers) {
		List<Boolean> parked = new ArrayList<>(followers.size());
		int from = 0;
		while (from < followers.size()) {
			// The driver holds a copy of each payload until all are sent.
			long bytes = 0;
			int to = from;
			while (to < followers.size() && bytes < BATCH_BYTES) {
				bytes += followers.get(to++).event().payload().length;
			}
			for (int count : this.followers.insert(followers.subList(from, to))) {
				parked.add(count != 0);
			}
			from = to;
		}
		return parked;
	}

}
