package dev.eventing.sdk.deadletter.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The open letters of keys, and the events that are parked behind them. A letter is open
 * until it is resolved or discarded. Works in the caller's transaction, at read
 * committed; thread-safe.
 */
public final class ParkedLetters {

	private static final String OPEN = "status in ('PARKED', 'REDRIVING')";

	private static final long BATCH_BYTES = 4 << 20;

	private final JdbcClient jdbc;

	private final NamedParameterJdbcTemplate batches;

	private final NewLetterRows rows;

	private final String table;

	private final String follower;

	/**
	 * Looks at no database yet.
	 * @param jdbc of the DataSource that holds the SDK's tables
	 * @param schema where the tables are
	 */
	public ParkedLetters(JdbcTemplate jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.batches = new NamedParameterJdbcTemplate(jdbc);
		this.rows = new NewLetterRows(new DeadLetterRows(EventJson.mapper()));
		this.table = schema.table("dead_letters");
		// By the primary key of processed_events.
		this.follower = NewLetterRows.insert(schema, """
				not exists (select from %s p
				             where p.projector_name = :projector and p.event_id = :eventId and p.tenant_id = :tenantId)
				""".formatted(schema.table("processed_events")));
	}

	/** The keys of the projector that have an open letter. */
	public Set<String> openKeys(String projector) {
		// An index-only scan of dead_letters_open_key, once per owner.
		return new HashSet<>(this.jdbc.sql("""
				select distinct parking_key from %s
				 where projector_name = :projector and %s and parking_key is not null
				""".formatted(this.table, OPEN)).param("projector", projector).query(String.class).list());
	}

	/**
	 * Those of the keys that have an open letter, in the order of their last ones: the
	 * order to lock them in, which is that of redrives.
	 */
	public List<String> inOrder(String projector, Collection<String> parkingKeys) {
		// dead_letters_open_key gives the last letter of each key.
		return this.jdbc.sql("""
				select k from unnest(array[:keys]::text[]) k,
				       lateral (select letter_number from %s
				                 where projector_name = :projector and parking_key = k and %s
				                 order by letter_number desc limit 1) last
				 order by last.letter_number""".formatted(this.table, OPEN))
			.param("keys", parkingKeys)
			.param("projector", projector)
			.query(String.class)
			.list();
	}

	/**
	 * Keeps the key's last open letter open until the caller's transaction ends, so that
	 * whoever closes it afterwards finds what was parked behind it. Waits for a
	 * transaction that is closing it. The last and not the first: redrives, which hold
	 * letters while handlers run, come to it after all others of the key, and in the
	 * {@link #inOrder order} in which keys are held here.
	 * @return whether the key has an open letter (still)
	 */
	public boolean holdLast(String projector, String parkingKey) {
		// Locks the last row of dead_letters_open_key that is still open when it is
		// locked. No row can be missed: only the caller adds letters to the key.
		return this.jdbc.sql("""
				select letter_id from %s
				 where projector_name = :projector and parking_key = :key and %s
				 order by letter_number desc limit 1
				   for update""".formatted(this.table, OPEN))
			.param("projector", projector)
			.param("key", parkingKey)
			.query(UUID.class)
			.optional()
			.isPresent();
	}

	/** The key's first open letter. */
	public Optional<UUID> first(String projector, String parkingKey) {
		// The first entry of dead_letters_open_key.
		return this.jdbc.sql("""
				select letter_id from %s
				 where projector_name = :projector and parking_key = :key and %s
				 order by letter_number limit 1""".formatted(this.table, OPEN))
			.param("projector", projector)
			.param("key", parkingKey)
			.query(UUID.class)
			.optional();
	}

	/** How many open letters the key has; counts no further than the limit. */
	public int count(String projector, String parkingKey, int limit) {
		// At most so many entries of dead_letters_open_key.
		return this.jdbc.sql("""
				select count(*) from (select from %s
				                       where projector_name = :projector and parking_key = :key and %s
				                       limit :limit) open""".formatted(this.table, OPEN))
			.param("projector", projector)
			.param("key", parkingKey)
			.param("limit", limit)
			.query(Integer.class)
			.single();
	}

	/**
	 * Parks events in this order, each with its parking key, behind what was
	 * {@link #holdLast held}. One round trip for each few megabytes.
	 * @return for each whether it was parked; others have been applied before, or have an
	 * open letter
	 */
	public List<Boolean> park(List<NewDeadLetter> followers) {
		List<Boolean> parked = new ArrayList<>(followers.size());
		int from = 0;
		while (from < followers.size()) {
			// The driver copies each payload until all are sent.
			long bytes = 0;
			int to = from;
			while (to < followers.size() && bytes < BATCH_BYTES) {
				bytes += followers.get(to++).event().payload().length;
			}
			for (int count : this.batches.batchUpdate(this.follower,
					followers.subList(from, to)
						.stream()
						.map(this.rows::parameters)
						.toArray(SqlParameterSource[]::new))) {
				parked.add(count != 0);
			}
			from = to;
		}
		return parked;
	}

}
