package dev.eventing.sdk.deadletter;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.schema.EventingSchema;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The letters that the dead-letter stream has not got yet. */
final class UnforwardedLetters {

	private final JdbcClient jdbc;

	private final DeadLetterRows rows;

	private final String table;

	UnforwardedLetters(JdbcTemplate jdbc, EventingSchema schema, JsonMapper json) {
		this.jdbc = JdbcClient.create(jdbc);
		this.rows = new DeadLetterRows(json);
		this.table = schema.table("dead_letters");
	}

	/** The next ones behind a letter's number, oldest first. */
	List<DeadLetter> behind(long number, int limit) {
		// The partial index dead_letters_unforwarded holds nothing else.
		return this.jdbc.sql("""
				select * from %s
				 where forwarded_at is null and letter_number > :number
				 order by letter_number
				 limit :limit
				""".formatted(this.table)).param("number", number).param("limit", limit).query(this.rows).list();
	}

	/** The stream has confirmed these. */
	void forwarded(Collection<UUID> letterIds) {
		// By the primary key.
		this.jdbc.sql("update %s set forwarded_at = now() where letter_id = any(:ids)".formatted(this.table))
			.param("ids", letterIds.toArray(UUID[]::new))
			.update();
	}

}
