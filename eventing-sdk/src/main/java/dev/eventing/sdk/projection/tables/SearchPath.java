package dev.eventing.sdk.projection.tables;

import java.util.Objects;

import org.springframework.jdbc.core.JdbcTemplate;

/** Where names without a schema are looked for, until the transaction ends. */
final class SearchPath {

	private final JdbcTemplate jdbc;

	SearchPath(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	String current() {
		return Objects.requireNonNull(this.jdbc.queryForObject("select current_setting('search_path')", String.class));
	}

	void set(String path) {
		this.jdbc.queryForObject("select set_config('search_path', ?, true)", String.class, path);
	}

	/** Puts a schema, by its name in the catalog, before the others. */
	void lookFirstIn(String schema) {
		this.jdbc.queryForObject("""
				select set_config('search_path', quote_ident(?) || ', ' || current_setting('search_path'), true)""",
				String.class, schema);
	}

}
