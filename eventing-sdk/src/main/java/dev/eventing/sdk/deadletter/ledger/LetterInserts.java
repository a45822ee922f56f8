package dev.eventing.sdk.deadletter.ledger;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.UnsafeTablesException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;

/**
 * Inserts letters, and makes sure that each gets a higher number than all earlier ones,
 * because letters of a key run in the order of their numbers. A sequence that was set
 * back, by an operator or by a restore of the database, would give lower ones. Runs in
 * the caller's transaction, which cannot commit after an exception. Thread-safe.
 */
final class LetterInserts {

	private static final String NUMBER = "letter_number";

	private static final String ID = "letter_id";

	private final NamedParameterJdbcTemplate jdbc;

	private final NewLetterRows rows;

	private final String table;

	private final String insert;

	/**
	 * Sends no query yet.
	 * @param condition a further condition, on the named parameters of a letter
	 */
	LetterInserts(JdbcTemplate jdbc, EventingSchema schema, JsonMapper json, String condition) {
		this.jdbc = new NamedParameterJdbcTemplate(jdbc);
		this.rows = new NewLetterRows(new DeadLetterRows(json));
		this.table = schema.table("dead_letters");
		this.insert = NewLetterRows.insert(schema, condition);
	}

	/** As the other constructor, with the SDK's JSON mapper. */
	LetterInserts(JdbcTemplate jdbc, EventingSchema schema, String condition) {
		this(jdbc, schema, EventJson.mapper(), condition);
	}

	/**
	 * Inserts letters in this order, in two round trips.
	 * @return for each the number of rows: 0 if nothing was to be inserted
	 * @throws UnsafeTablesException if a letter got a number that is not above those
	 * before
	 */
	int[] insert(List<NewDeadLetter> letters) {
		return insertAbove(letters, new GeneratedKeyHolder());
	}

	/**
	 * Inserts a letter, in two round trips.
	 * @return its id; null if nothing was to be inserted
	 * @throws UnsafeTablesException if the letter got a number that is not above those
	 * before
	 */
	@Nullable UUID insert(NewDeadLetter letter) {
		KeyHolder keys = new GeneratedKeyHolder();
		insertAbove(List.of(letter), keys);
		return keys.getKeyList().isEmpty() ? null : (UUID) keys.getKeyList().get(0).get(ID);
	}

	private int[] insertAbove(List<NewDeadLetter> letters, KeyHolder keys) {
		// By the end of dead_letters_list. The number that it returns was drawn before
		// this moment, and new letters draw theirs after it.
		Long before = this.jdbc.getJdbcOperations()
			.queryForObject("select coalesce(max(letter_number), 0) from " + this.table, Long.class);
		int[] counts = insert(letters, keys);
		for (Map<String, Object> row : keys.getKeyList()) {
			if (!(row.get(NUMBER) instanceof Number number) || before == null || number.longValue() <= before) {
				throw UnsafeTablesException.numberedBehind(this.table, NUMBER, null);
			}
		}
		return counts;
	}

	private int[] insert(List<NewDeadLetter> letters, KeyHolder keys) {
		SqlParameterSource[] all = letters.stream().map(this.rows::parameters).toArray(SqlParameterSource[]::new);
		try {
			return this.jdbc.batchUpdate(this.insert, all, keys, new String[] { NUMBER, ID });
		}
		catch (DuplicateKeyException ex) {
			if (String.valueOf(ex.getMessage()).contains("dead_letters_number")) {
				throw UnsafeTablesException.numberedBehind(this.table, NUMBER, ex);
			}
			throw ex;
		}
	}

}
