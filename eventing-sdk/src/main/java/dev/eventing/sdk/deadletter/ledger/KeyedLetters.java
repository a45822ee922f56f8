package dev.eventing.sdk.deadletter.ledger;

import java.util.Map;
import java.util.Optional;

import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Letters that match a condition, with the letters that are parked in the same keys. Only
 * ids leave the database, about 40 bytes per letter.
 *
 * <p>
 * PostgreSQL may misjudge how many letters match. So no statement may have a plan that
 * takes quadratic time: the letters of a key come from an index, once per key. Letters
 * are looked up by id without a further condition that would make the planner expect few.
 */
final class KeyedLetters {

	/**
	 * The letters with which a redrive can start. The other open letters of a key are
	 * already being redriven. Letters of a generation that is not live cannot be
	 * redriven.
	 */
	static final String PARKED = "d.status = 'PARKED' and " + LetterConditions.LIVE;

	/** The letters that are neither resolved nor discarded, of any generation. */
	static final String OPEN = "d.status in ('PARKED', 'REDRIVING')";

	/** The letters that {@link #lock} has locked, by the primary key. */
	static final String LOCKED = "d.letter_id in (select unnest(cast(:locked as uuid[])))";

	private final JdbcClient jdbc;

	private final String letters;

	KeyedLetters(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.letters = schema.table("dead_letters");
	}

	/**
	 * Arrays of ids.
	 *
	 * @param fitting the letters that match
	 * @param others the other letters that are parked in their keys, or null if there are
	 * none
	 */
	record Locked(String fitting, @Nullable String others) {
	}

	/**
	 * Returns the beginning of a statement. It defines {@code family}: the letters that
	 * match and those parked in their keys, each with {@code letter_id},
	 * {@code projector_name}, and {@code fits}, true if the letter matches itself.
	 * @param condition the condition on {@code d}
	 */
	String with(String condition) {
		// The parked ones by dead_letters_open_key, once per key. A key belongs to one
		// tenant. The tenant is compared too, so that a scope does not depend on that.
		return """
				with fit as materialized (
				  select d.letter_id, d.projector_name, d.tenant_id, d.parking_key from %1$s d where %2$s),
				held as (
				  select distinct projector_name, tenant_id, parking_key from fit where parking_key is not null),
				family as (
				  select letter_id, projector_name, true as fits from fit
				  union all
				  select other.letter_id, held.projector_name, false
				    from held cross join lateral (
				      select d.letter_id
				        from %1$s d
				       where d.projector_name = held.projector_name and d.parking_key = held.parking_key
				         and d.tenant_id = held.tenant_id and d.status = 'PARKED' and (%2$s) is not true
				      offset 0) as other)
				""".formatted(this.letters, condition);
	}

	/**
	 * Locks the letters that match and those parked in their keys until the transaction
	 * ends, in the order of their numbers, as all statements do. The statements after it
	 * see what commits while it waits.
	 * @return what matches, and the others, as they are once locked; empty if nothing
	 * matches
	 */
	Optional<Locked> lock(String fit, Map<String, Object> params) {
		String ids = this.jdbc.sql("%s select cast(array_agg(letter_id) as text) from family".formatted(with(fit)))
			.params(params)
			.query(String.class)
			.optional()
			.orElse("{}");
		// By the primary key. A condition on a column without a value is neither true nor
		// false. Then the letter does not match.
		return this.jdbc.sql("""
				select cast(array_agg(letter_id) filter (where fits) as text) as fitting,
				       cast(array_agg(letter_id) filter (where not fits and parked) as text) as others
				  from (select d.letter_id, (%s) is true as fits, %s as parked
				          from %s d
				         where %s
				         order by d.letter_number
				           for update of d) as locked
				""".formatted(fit, PARKED, this.letters, LOCKED))
			.params(params)
			.param("locked", ids)
			.query((row, number) -> locked(row.getString("fitting"), row.getString("others")))
			.single();
	}

	private static Optional<Locked> locked(@Nullable String fitting, @Nullable String others) {
		return (fitting != null) ? Optional.of(new Locked(fitting, others)) : Optional.empty();
	}

}
