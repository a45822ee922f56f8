package dev.eventing.sdk.relay;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.jdbc.ReplacedRows;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.LogSetBackException;
import dev.eventing.sdk.store.StoredEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The position of a relay and the ends of its streams, in {@code relay_positions} and
 * {@code relay_streams}, and what seldom changes, in {@code relays}. The row of
 * {@code relays} is the lock of the position and the refusals. A change of the position
 * replaces its row by one with the next revision, see {@link ReplacedRows}.
 */
final class JdbcRelayPositions {

	/** The maximum number of events that {@link #lag} counts. */
	private static final int COUNTED = 10_000;

	private final JdbcTemplate jdbc;

	private final String relay;

	private final String relays;

	private final String positions;

	/** The revision of the position; one parameter, the relay's name. */
	private final String revision;

	private final String streams;

	private final String events;

	JdbcRelayPositions(JdbcTemplate jdbc, EventingSchema schema, String relay) {
		this.jdbc = jdbc;
		this.relay = relay;
		this.relays = schema.table("relays");
		this.positions = schema.table("relay_positions");
		this.revision = ReplacedRows.latest("revision", this.positions, "relay_name");
		this.streams = schema.table("relay_streams");
		this.events = schema.table("events");
	}

	/**
	 * The saved position. Creates the rows of a new relay. By the primary keys of both
	 * tables.
	 */
	Saved find() {
		List<Saved> found = read();
		if (found.isEmpty()) {
			create();
			found = read();
		}
		return found.get(0);
	}

	private List<Saved> read() {
		return ReplacedRows.query(this.jdbc, """
				select p.position, r.accepted_position, r.seal_key
				  from %s r join %s p on p.relay_name = r.relay_name and p.revision = (%s)
				 where r.relay_name = ?""".formatted(this.relays, this.positions, this.revision),
				(row, number) -> new Saved(row.getLong(1), row.getLong(2), row.getObject(3, UUID.class)), this.relay,
				this.relay);
	}

	private void create() {
		requireNewName();
		this.jdbc.update(
				"insert into %s (relay_name) values (?) on conflict (relay_name) do nothing".formatted(this.relays),
				this.relay);
		this.jdbc.update("""
				insert into %s (relay_name) select ? where (%s) is null
				on conflict (relay_name, revision) do nothing""".formatted(this.positions, this.revision), this.relay,
				this.relay);
	}

	/**
	 * Refuses a name that differs from that of a known relay in case and separators only:
	 * the relay was renamed by its spelling, and would publish the whole store again.
	 * Reads the whole table, which has a row per relay, once for each new relay.
	 */
	private void requireNewName() {
		String uniform = "lower(regexp_replace(%s, '[^A-Za-z0-9]', '', 'g'))";
		List<String> others = this.jdbc
			.queryForList(
					"select relay_name from %s where %s = %s and relay_name <> ? limit 1".formatted(this.relays,
							uniform.formatted("relay_name"), uniform.formatted("?")),
					String.class, this.relay, this.relay);
		if (!others.isEmpty()) {
			throw RelayOptions.invalid(this.relay,
					List.of("its name is another spelling of '" + others.get(0)
							+ "', a relay that has a saved position,"
							+ " and under a new name it would publish the whole event store again. Consider the name '"
							+ others.get(0) + "', or one with other letters"));
		}
	}

	/**
	 * Records by which pattern the relay makes subjects, for operators' programs. By the
	 * primary key.
	 */
	void describe(String subjects) {
		find();
		this.jdbc.update("update %s set subjects = ? where relay_name = ? and subjects is distinct from ?"
			.formatted(this.relays), subjects, this.relay, subjects);
	}

	/** Locks position and refusals against changes until the transaction ends. */
	void lock() {
		this.jdbc.queryForList("select 1 from %s where relay_name = ? for update".formatted(this.relays), this.relay);
	}

	/**
	 * Moves the position forward from its known value, if the last event up to the new
	 * position still exists. By the primary keys of both tables.
	 * @param last that event; null if there is none
	 * @throws LogSetBackException if the position has another value, or that event is
	 * gone
	 */
	void advance(long known, long position, @Nullable Passed last) {
		int moved = ReplacedRows.update(this.jdbc, """
				with gone as (
				  delete from %1$s where relay_name = ? and revision = (%2$s) and position = ?
				     and (?::bigint is null or exists (select from %3$s where global_position = ? and event_id = ?))
				  returning relay_name, revision)
				insert into %1$s (relay_name, revision, position) select relay_name, revision + 1, ? from gone
				""".formatted(this.positions, this.revision, this.events), this.relay, this.relay, known,
				(last != null) ? last.position() : null, (last != null) ? last.position() : null,
				(last != null) ? last.eventId() : null, position);
		if (moved == 0) {
			throw new LogSetBackException("The position of relay '" + this.relay + "' was to move from " + known
					+ " to " + position + ", but it is not at " + known
					+ " any more, or the last event before it is gone: the database was restored to an earlier state, "
					+ "or its row was changed by hand. Consider stopping a relay before you change its row.");
		}
	}

	/**
	 * Moves the position back, after a stream has lost its tail. The caller holds the
	 * {@link #lock}. By the primary key.
	 */
	void rewind(long position) {
		ReplacedRows.update(this.jdbc, """
				with gone as (
				  delete from %1$s where relay_name = ? and revision = (%2$s) and position > ?
				  returning relay_name, revision)
				insert into %1$s (relay_name, revision, position) select relay_name, revision + 1, ? from gone
				""".formatted(this.positions, this.revision), this.relay, this.relay, position, position);
	}

	/** The streams whose ends are known. By the first column of the primary key. */
	Map<String, Mark> marks() {
		Map<String, Mark> marks = new HashMap<>();
		this.jdbc.query(
				"select stream, stream_created, last_sequence from %s where relay_name = ?".formatted(this.streams),
				(row) -> {
					marks.put(row.getString(1),
							new Mark(row.getObject(2, OffsetDateTime.class).toInstant(), row.getLong(3)));
				}, this.relay);
		return marks;
	}

	/**
	 * Streams that were restored to an earlier state while a relay published, and whose
	 * end was not saved since, each with the first sequence that it gave again. By the
	 * first column of the primary key.
	 */
	Map<String, Long> givenAgain() {
		Map<String, Long> streams = new HashMap<>();
		this.jdbc.query("select stream, given_again from %s where relay_name = ? and given_again is not null"
			.formatted(this.streams), (row) -> {
				streams.put(row.getString(1), row.getLong(2));
			}, this.relay);
		return streams;
	}

	/** Records such a stream, until its end is saved. By the primary key. */
	void noteGivenAgain(String stream, long first) {
		this.jdbc.update("""
				update %s set given_again = least(coalesce(given_again, ?), ?) where relay_name = ? and stream = ?"""
			.formatted(this.streams), first, first, this.relay, stream);
	}

	/** Saves the end of a stream. By the primary key. */
	void mark(String stream, Mark mark) {
		this.jdbc.update(
				"""
						insert into %s (relay_name, stream, stream_created, last_sequence) values (?, ?, ?, ?)
						on conflict (relay_name, stream) do update
						   set stream_created = excluded.stream_created, last_sequence = excluded.last_sequence, given_again = null
						"""
					.formatted(this.streams),
				this.relay, stream, mark.created().atOffset(ZoneOffset.UTC), mark.lastSequence());
	}

	/**
	 * The position that lies {@code count} events of the relay before another position; 0
	 * if there are fewer events. Reads the primary key backwards, because positions have
	 * holes and cannot be computed.
	 */
	long before(long position, int count, Set<String> categories) {
		List<Long> found = this.jdbc.queryForList("""
				select global_position from %s
				 where global_position < ? and (? or split_part(stream_id, '-', 1) = any(?))
				 order by global_position desc offset ? limit 1""".formatted(this.events), Long.class, position,
				categories.isEmpty(), categories.toArray(String[]::new), count);
		return found.isEmpty() ? 0 : found.get(0);
	}

	/**
	 * The ids of the events at these positions. Positions without an event are missing.
	 * By the primary key.
	 */
	Map<Long, UUID> eventsAt(Collection<Long> at) {
		Map<Long, UUID> found = new HashMap<>();
		this.jdbc.query(
				"select global_position, event_id from %s where global_position = any(?)".formatted(this.events),
				(row) -> {
					found.put(row.getLong(1), row.getObject(2, UUID.class));
				}, (Object) at.toArray(Long[]::new));
		return found;
	}

	/**
	 * Accepts that stream and store differ up to a position, and moves the sequence so
	 * that new events get higher positions. Appends wait meanwhile, because positions
	 * could be drawn twice.
	 * @param published that position
	 * @param same the position up to which they do not differ; the relay continues after
	 * it
	 */
	void accept(long published, long same) {
		Saved saved = find();
		// Appends queue while this lock waits, so it must not wait for long.
		this.jdbc.execute("set local lock_timeout = '2s'");
		this.jdbc.execute("lock table %s in share row exclusive mode".formatted(this.events));
		this.jdbc.queryForList(
				"""
						select setval(sequence, ?) from (select pg_get_serial_sequence(?, 'global_position')::regclass) s (sequence)
						 where coalesce(pg_sequence_last_value(sequence), 0) < ?""",
				Math.max(published, saved.position()), this.events, Math.max(published, saved.position()));
		this.jdbc.update("update %s set accepted_position = greatest(accepted_position, ?) where relay_name = ?"
			.formatted(this.relays), published, this.relay);
		rewind(same);
	}

	/** The statements that give this role the rights to {@link #accept}. */
	String grantsToAccept() {
		return Objects.requireNonNull(this.jdbc.queryForObject(
				"""
						select format('grant %1$s on %2$s to %4$I; grant update on sequence %3$s to %4$I',
						              case when current_setting('server_version_num')::int >= 170000 then 'maintain' else 'truncate' end,
						              cast(? as text), pg_get_serial_sequence(?, 'global_position'), current_user)""",
				String.class, this.events, this.events));
	}

	/**
	 * How far the relay is behind. Reads at most {@link #COUNTED} rows by the primary
	 * key, and its end.
	 */
	RelayLag lag() {
		long position = find().position();
		return Objects.requireNonNull(this.jdbc.queryForObject("""
				select count(*), coalesce(extract(epoch from clock_timestamp() - min(recorded_at)) * 1000, 0),
				       (select max(global_position) from %1$s)
				  from (select recorded_at from %1$s where global_position > ? order by global_position limit ?) first
				""".formatted(this.events), (row, number) -> lag(position, row.getLong(1),
				Duration.ofMillis(Math.max(0, row.getLong(2))), row.getLong(3)), position, COUNTED));
	}

	private static RelayLag lag(long position, long counted, Duration behind, long head) {
		return (counted < COUNTED) ? new RelayLag(position, counted, false, behind)
				: new RelayLag(position, head - position, true, behind);
	}

	/**
	 * The saved position of a relay.
	 *
	 * @param position the position up to which all events are published or recorded
	 * @param accepted the position up to which an operator has accepted that the stream
	 * differs from the store
	 * @param sealKey the key of {@link RelaySeal}
	 */
	record Saved(long position, long accepted, UUID sealKey) {
	}

	/**
	 * An event that is published or recorded.
	 */
	record Passed(long position, UUID eventId) {

		static Passed of(StoredEvent stored) {
			return new Passed(stored.position(), stored.event().id());
		}

	}

	/**
	 * The end of a JetStream stream.
	 *
	 * @param created when the stream was created
	 * @param lastSequence the last sequence that was confirmed
	 */
	record Mark(Instant created, long lastSequence) {
	}

}
