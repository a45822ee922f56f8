package dev.eventing.sdk.deadletter;

import java.util.Map;
import java.util.Optional;

import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Letters together with those that wait behind them, or before them, in their keys. All
 * stays in the database but the ids of the letters that fit, some 40 bytes each.
 */
final class LetterFamilies {

	/** Those a redrive may start with: the others of a key are on their way already. */
	static final String PARKED = "d.status = 'PARKED'";

	/** Those that are neither resolved nor discarded. */
	static final String OPEN = "d.status in ('PARKED', 'REDRIVING')";

	/** Letters named by {@link #lock}. */
	static final String LOCKED = "d.letter_id = any (cast(:locked as uuid[]))";

	private final JdbcClient jdbc;

	private final String letters;

	LetterFamilies(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.letters = schema.table("dead_letters");
	}

	/**
	 * Begins a statement: {@code fit} has the letters that fit, {@code family} has their
	 * ids and those of the parked letters of their keys.
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
				  select letter_id from fit
				  union
				  select d.letter_id
				    from held join %1$s d on d.projector_name = held.projector_name
				     and d.parking_key = held.parking_key and d.tenant_id = held.tenant_id
				   where d.status = 'PARKED')
				""".formatted(this.letters, fit);
	}

	/**
	 * Locks the letters that fit and their families until the transaction ends, in the
	 * order of their numbers as everybody does. What commits while this waits is seen by
	 * the statements after it.
	 * @return the ids of those that fit and still did once they were locked, as
	 * {@code :locked} for {@link #LOCKED}; empty if there are none
	 */
	Optional<String> lock(String fit, Map<String, Object> params) {
		return this.jdbc.sql("""
				%1$s
				select cast(array_agg(letter_id) filter (where fits) as text)
				  from (select d.letter_id, %2$s as fits
				          from %3$s d
				         where %4$s and d.letter_id in (select letter_id from family)
				         order by d.letter_number
				           for update of d) as locked
				""".formatted(with(fit), fit, this.letters, OPEN)).params(params).query(String.class).optional();
	}

}
