package dev.eventing.sdk.schema;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/** Gives the application's role what it needs of tables that another role has created. */
final class RoleGrants {

	private static final Logger logger = LoggerFactory.getLogger(RoleGrants.class);

	/** A role that may change them can erase. The application need not. */
	private static final Set<String> APART = Set.of("events", "erasures");

	private static final String ROLE = "select quote_ident(current_user)";

	private static final String SEQUENCES = """
			select quote_ident(n.nspname) || '.' || quote_ident(s.relname)
			""" + Sequences.OF_TABLES;

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	/** Grants as the role of this DataSource, which owns the tables. */
	RoleGrants(DataSource migrating, EventingSchema schema) {
		this.jdbc = new JdbcTemplate(migrating);
		this.schema = schema;
	}

	/**
	 * Does nothing if both have the same role.
	 * @throws org.springframework.dao.DataAccessException if a query fails
	 */
	void giveTo(DataSource application) {
		String role = new JdbcTemplate(application).queryForObject(ROLE, String.class);
		if (role == null || role.equals(this.jdbc.queryForObject(ROLE, String.class))) {
			return;
		}
		String tables = Arrays.stream(RequiredTable.names())
			.filter((table) -> !APART.contains(table))
			.map(this.schema::table)
			.collect(Collectors.joining(", "));
		this.jdbc.execute("grant usage on schema \"" + this.schema.name() + "\" to " + role);
		this.jdbc.execute("grant select, insert, update, delete on " + tables + " to " + role);
		this.jdbc.execute("grant select, insert on " + this.schema.table("events") + " to " + role);
		this.jdbc.execute("grant select on " + this.schema.table("erasures") + " to " + role);
		// The first inline projector makes a trigger.
		this.jdbc.execute("grant trigger on " + this.schema.table("events") + " to " + role);
		List<String> sequences = this.jdbc.queryForList(SEQUENCES, String.class, this.schema.name(),
				RequiredTable.names());
		if (!sequences.isEmpty()) {
			this.jdbc.execute("grant usage, select on sequence " + String.join(", ", sequences) + " to " + role);
		}
		List<String> functions = RoleRights.missingFunctions(new JdbcTemplate(application), this.schema);
		if (!functions.isEmpty()) {
			this.jdbc.execute("grant execute on function " + String.join(", ", functions) + " to " + role);
		}
		logger.info("Role {} has the rights that it needs of the tables of schema '{}'.", role, this.schema.name());
	}

}
