package dev.eventing.sdk.deadletter.ledger;

import java.util.Map;
import java.util.Optional;

import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Letters that fit together with those parked in the same keys. Only ids leave the
 * database, some 40 bytes a letter.
 *
 * <p>
 * The planner of the database can be far off about how many letters fit. So no plan may
 * take the square of the time: letters of a key are looked up in an index for each key,
 * and letters by their ids, with no condition beside that could seem to leave few.
 */
final class KeyedLetters {

	/** Those a redrive may start with: the others of a key are on their way already. */
	static final String PARKED = "d.status = 'PARKED'";

	/** Those that are neither resolved nor discarded. */
	static final String OPEN = "d.status in ('PARKED', 'REDRIVING')";

	/** Letters that {@link #lock} has locked, by the primary key. */
	static final String LOCKED = "d.letter_id in (select unnest(cast(:locked as uuid[])))";

	private final JdbcClient jdbc;

	private final String letters;

	KeyedLetters(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.letters = schema.table("dead_letters");
	}

	/**
	 * Letters as arrays of ids.
	 *
	 * @param fitting those that fit
	 * @param others those parked in their keys, or null: none are
	 */
	record Locked(String fitting, @Nullable String others) {
	}

	/**
	 * Begins a statement: {@code family} has the letters with {@code letter_id},
	 * {@code projector_name}, and a column that says which fit themselves.
	 * @param fit the condition on {@code d}
	 */
	String with(String fit) {
		// The parked ones by dead_letters_open_key, once per key. No key is of two
		// tenants;
		// that the tenant is compared too keeps a scope from depending on it.
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
				""".formatted(this.letters, fit);
	}

	/**
	 * Locks the letters that fit and their families until the transaction ends, in the
	 * order of their numbers as everybody does. What commits while this waits is seen by
	 * the statements after it.
	 * @return what fits and what does not, once it is locked; empty if nothing fits
	 */
	Optional<Locked> lock(String fit, Map<String, Object> params) {
		String ids = this.jdbc.sql("%s select cast(array_agg(letter_id) as text) from family".formatted(with(fit)))
			.params(params)
			.query(String.class)
			.optional()
			.orElse("{}");
		// By the primary key. A condition on a column without a value is neither true nor
		// false, and then the letter does not fit.
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
