package dev.eventing.sdk.deadletter.ledger;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The ledger for a projector that redrives: whether it has letters to run, which
 * {@link RedriveQueue} reads, and their results. Runs in the caller's transaction, at
 * read committed. The audit names the projector as the actor. Thread-safe.
 */
public final class RedriveLedger {

	private final JdbcClient jdbc;

	private final String table;

	private final Audit audit;

	private final AutomaticRedrives requests;

	/**
	 * Sends no query yet.
	 * @param jdbc uses the DataSource that holds the SDK's tables
	 * @param schema the schema of the tables
	 */
	public RedriveLedger(JdbcTemplate jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.table = schema.table("dead_letters");
		this.audit = new Audit(this.jdbc, schema.table("dead_letter_audit"));
		this.requests = new AutomaticRedrives(this.jdbc, this.table, this.audit);
	}

	/** Returns those of the projectors that have letters to redrive now. */
	public Set<ProjectorId> projectorsToRedrive(Collection<ProjectorId> projectors) {
		if (projectors.isEmpty()) {
			return Set.of();
		}
		return new HashSet<>(
				this.jdbc.sql("select p from unnest(array[:projectors]::text[]) p where " + toRedrive(this.table))
					.param("projectors", projectors.stream().map(ProjectorId::inColumn).toList())
					.query((row, number) -> ProjectorId.parse(row.getString(1)))
					.list());
	}

	/**
	 * A condition of SQL: projector {@code p} has letters to redrive now. For queries
	 * that ask for more than that.
	 */
	public static String toRedrive(EventingSchema schema) {
		return toRedrive(schema.table("dead_letters"));
	}

	private static String toRedrive(String table) {
		// Two looks per projector, into dead_letters_redriving and dead_letters_due.
		return """
				(exists (select from %1$s where projector_name = p and status = 'REDRIVING')
				 or exists (select from %1$s
				             where projector_name = p and status = 'PARKED' and next_redrive_at <= now()))"""
			.formatted(table);
	}

	/**
	 * Requests the automatic redrives that are due, with the letters parked in the same
	 * keys.
	 */
	public void requestDue(ProjectorId projector) {
		this.requests.requestDue(projector);
	}

	/**
	 * Records that a run of these letters begins. Commit it before the run, so that the
	 * next process knows if this one dies from it.
	 */
	public void begin(Collection<UUID> letterIds) {
		// By the primary key. Locks in the order of letter numbers.
		this.jdbc.sql("""
				update %1$s set redrive_runs = redrive_runs + 1
				 where letter_id in (select letter_id from %1$s
				                      where letter_id = any(:letterIds) and status = 'REDRIVING'
				                      order by letter_number for update)
				""".formatted(this.table)).param("letterIds", UuidArray.of(letterIds)).update();
	}

	/**
	 * Takes one {@link #begin} back, because that run ended without a result. The caller
	 * need not own the projector any more: runs that others have begun since stay
	 * counted. Does not wait for a letter that another transaction has locked.
	 * @param letters as they were read before that run
	 * @return the letters to try again: their run is still counted, another transaction
	 * has locked them, and no other run of them has begun
	 */
	public List<RedriveLetter> unbegin(List<RedriveLetter> letters) {
		Map<UUID, Integer> held = new HashMap<>();
		// By the primary key.
		this.jdbc.sql("""
				with free as (
				  select letter_id from %1$s
				   where letter_id = any(:letterIds) and status = 'REDRIVING' and redrive_runs > 0
				   order by letter_number for update skip locked),
				taken as (
				  update %1$s set redrive_runs = redrive_runs - 1 where letter_id in (select letter_id from free)
				  returning letter_id)
				select letter_id, redrive_runs from %1$s
				 where letter_id = any(:letterIds) and status = 'REDRIVING' and redrive_runs > 0
				   and letter_id not in (select letter_id from taken)""".formatted(this.table))
			.param("letterIds", UuidArray.of(ids(letters)))
			.query((row) -> {
				held.put(row.getObject("letter_id", UUID.class), row.getInt("redrive_runs"));
			});
		return letters.stream()
			.filter((letter) -> held.getOrDefault(letter.letter().letterId(), Integer.MAX_VALUE) <= letter.runs() + 1)
			.toList();
	}

	private static List<UUID> ids(List<RedriveLetter> letters) {
		return letters.stream().map((letter) -> letter.letter().letterId()).toList();
	}

	/**
	 * Locks those of the letters that may run now, until the caller's transaction ends:
	 * they are still to be redriven, and have no earlier open letter in their key. A
	 * letter after a parked one is parked itself.
	 * @return the ids of the letters to run; none if a letter has changed since it was
	 * read: its payload, or it was closed and opened again
	 */
	public Set<UUID> lock(ProjectorId projector, List<RedriveLetter> letters) {
		// By the primary key. Locks in the order of letter numbers, as parking does.
		List<LockedLetter> locked = this.jdbc.sql("""
				select letter_id, letter_number, edited_payload from %s
				 where letter_id = any(:letterIds) and status = 'REDRIVING'
				 order by letter_number for update""".formatted(this.table))
			.param("letterIds", UuidArray.of(ids(letters)))
			.query(LockedLetter.ROWS)
			.list();
		if (!locked.stream().allMatch((row) -> letters.stream().anyMatch(row::isSameAs))) {
			return Set.of(); // so that it is read again: later letters of its key need it
		}
		Set<UUID> mine = new HashSet<>();
		locked.forEach((row) -> mine.add(row.letterId()));
		Set<UUID> behind = new HashSet<>();
		for (Earlier earlier : earlier(projector, mine)) {
			List<UUID> held = letters.stream()
				.map(RedriveLetter::letter)
				.filter((letter) -> mine.contains(letter.letterId()) && earlier.isBefore(letter))
				.map(DeadLetter::letterId)
				.toList();
			behind.addAll(held);
			if (earlier.parked()) {
				holdBack(projector, held);
			}
		}
		mine.removeAll(behind);
		return mine;
	}

	/**
	 * Returns, for each key of these letters, its first open letter that is not among
	 * them. A separate statement, so that it sees what was requested since they were
	 * read.
	 */
	private List<Earlier> earlier(ProjectorId projector, Collection<UUID> letterIds) {
		// The letters by the primary key, their keys by dead_letters_open_key.
		return this.jdbc.sql("""
				select e.parking_key, e.letter_number, e.status = 'PARKED' as parked
				  from (select distinct parking_key from %1$s
				         where letter_id = any(:letterIds) and parking_key is not null) k,
				       lateral (select parking_key, letter_number, status from %1$s
				                 where projector_name = :projector and parking_key = k.parking_key
				                   and status in ('PARKED', 'REDRIVING')
				                   and letter_id <> all(:letterIds)
				                 order by letter_number limit 1) e""".formatted(this.table))
			.param("letterIds", UuidArray.of(letterIds))
			.param("projector", projector.inColumn())
			.query((row, number) -> new Earlier(row.getString(1), row.getLong(2), row.getBoolean(3)))
			.list();
	}

	private void holdBack(ProjectorId projector, Collection<UUID> letterIds) {
		// By the primary key.
		this.jdbc.sql("""
				update %s set status = 'PARKED', redrive_runs = 0 where letter_id = any(:letterIds)
				""".formatted(this.table)).param("letterIds", UuidArray.of(letterIds)).update();
		this.audit.add(letterIds, projector, DeadLetterAction.HELD_BACK, "an earlier letter of its key is parked");
	}

	/**
	 * Closes {@link #lock locked} letters before their handlers run. From then on, the
	 * caller's transaction can claim their events.
	 */
	public void resolve(Collection<UUID> letterIds) {
		// By the primary key.
		this.jdbc.sql("""
				update %s set status = 'RESOLVED', closed_at = clock_timestamp(), redrive_runs = 0,
				       next_redrive_at = null
				 where letter_id = any(:letterIds)""".formatted(this.table))
			.param("letterIds", UuidArray.of(letterIds))
			.update();
	}

	/**
	 * Records the results of {@link #resolve resolved} letters, and requests the redrive
	 * of letters that were parked after them meanwhile.
	 * @param applied the letters whose handler ran
	 * @param duplicates the letters whose event had been applied before
	 */
	public void resolved(ProjectorId projector, Collection<UUID> applied, Collection<UUID> duplicates) {
		this.audit.add(applied, projector, DeadLetterAction.RESOLVED, null);
		this.audit.add(duplicates, projector, DeadLetterAction.RESOLVED, "its event had been applied before");
		if (!applied.isEmpty()) {
			// By the primary key.
			this.jdbc.sql("""
					update %s set redrives = redrives + 1 where letter_id = any(:letterIds)
					""".formatted(this.table)).param("letterIds", UuidArray.of(applied)).update();
		}
		Set<UUID> closed = new HashSet<>(applied);
		closed.addAll(duplicates);
		this.requests.requestFollowers(projector, closed, "the letters before it were resolved");
	}

	/**
	 * Records which event was applied in place of a message without a tenant. By the
	 * primary key.
	 */
	public void mended(UUID letterId, EventKey event) {
		this.jdbc.sql("""
				update %s set mended_tenant_id = :tenant, mended_event_id = :event where letter_id = :letterId
				""".formatted(this.table))
			.param("tenant", event.tenantId().value())
			.param("event", event.eventId())
			.param("letterId", letterId)
			.update();
	}

	/**
	 * Parks a letter again that could not be applied, with all letters of its key that
	 * are still to be redriven. Changes nothing if the letter was discarded meanwhile, or
	 * closed and opened again.
	 * @param reason a constant for programs
	 * @param ran whether its handler ran
	 * @param redriveAfter the time until its automatic redrive, or null for none
	 */
	public void failedAgain(RedriveLetter failed, String reason, Failure failure, boolean ran,
			@Nullable Duration redriveAfter) {
		DeadLetter letter = failed.letter();
		// By the primary key.
		int parked = this.jdbc
			.sql("""
					update %s set status = 'PARKED', redrives = redrives + :ran, redrive_runs = 0, reason = :reason,
					       error_class = :errorClass, error_message = :errorMessage, stack_trace = :stackTrace,
					       next_redrive_at = now() + cast(:redriveAfter as bigint) * interval '1 millisecond'
					 where letter_id = :letterId and letter_number = :number and status = 'REDRIVING'"""
				.formatted(this.table))
			.param("ran", ran ? 1 : 0)
			.param("reason", reason)
			.param("errorClass", failure.errorClass())
			.param("errorMessage", failure.message())
			.param("stackTrace", failure.stackTrace())
			.param("redriveAfter", (redriveAfter != null) ? redriveAfter.toMillis() : null)
			.param("letterId", letter.letterId())
			.param("number", letter.number())
			.update();
		if (parked == 0) {
			return;
		}
		this.audit.add(List.of(letter.letterId()), ProjectorId.parse(letter.projector()), DeadLetterAction.FAILED_AGAIN,
				reason + ": " + failure.errorClass());
		if (letter.handling().parkingKey() != null) {
			parkFollowers(letter, letter.handling().parkingKey());
		}
	}

	private void parkFollowers(DeadLetter letter, String parkingKey) {
		// By dead_letters_open_key.
		List<UUID> followers = this.jdbc.sql("""
				update %s set status = 'PARKED', redrive_runs = 0
				 where projector_name = :projector and parking_key = :key and status = 'REDRIVING'
				returning letter_id""".formatted(this.table))
			.param("projector", letter.projector())
			.param("key", parkingKey)
			.query(UUID.class)
			.list();
		this.audit.add(followers, ProjectorId.parse(letter.projector()), DeadLetterAction.HELD_BACK,
				"letter " + letter.letterId() + " failed again");
	}

	/** The first other open letter of a key. */
	private record Earlier(String parkingKey, long number, boolean parked) {

		boolean isBefore(DeadLetter letter) {
			return this.parkingKey.equals(letter.handling().parkingKey()) && this.number < letter.number();
		}

	}

}
