package dev.eventing.sdk.projector.container;

import java.time.Duration;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.schema.EventingSchema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Says that policies of row level security do not apply to the role of the application.
 * Then they do not keep the rows of tenants apart, and nothing fails.
 */
final class BypassedPolicies {

	/**
	 * Of the tables that statements find without the name of a schema. Those that a role
	 * passes over as their owner obey it once they are forced to.
	 */
	private static final String TABLES = """
			select r.rolname,
			       case when r.rolsuper then 'is a superuser' when r.rolbypassrls then 'has BYPASSRLS' else 'has the rights of their owner' end,
			       string_agg(format('%I.%I', n.nspname, c.relname), ', ' order by n.nspname, c.relname)
			  from pg_roles r cross join pg_class c join pg_namespace n on n.oid = c.relnamespace
			 where r.rolname = current_user and n.nspname = any (current_schemas(false)) and n.nspname <> ?
			   and c.relkind in ('r', 'p') and c.relrowsecurity and not row_security_active(c.oid)
			   and exists (select 1 from pg_policy p where p.polrelid = c.oid)
			 group by r.rolname, r.rolsuper, r.rolbypassrls
			""";

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(BypassedPolicies.class);

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	private boolean looked;

	BypassedPolicies(DataSource dataSource, EventingSchema schema) {
		this.jdbc = new JdbcTemplate(BoundedDataSource.of(dataSource, LONGEST));
		this.schema = schema;
	}

	/** Looks once, whether or not the database answers. */
	void look() {
		if (this.looked) {
			return;
		}
		this.looked = true;
		try {
			this.jdbc.query(TABLES, (row) -> {
				logger
					.warn("Row level security of {} does not apply to role '{}', which {}. So handlers meet the rows of all "
							+ "tenants, although each transaction has one. Consider another role for the application.",
							row.getString(3), row.getString(1), row.getString(2));
			}, this.schema.name());
		}
		catch (DataAccessException ex) {
			logger.debug("Whether policies apply to the role is not known: {}", DatabaseFailure.describe(ex));
		}
	}

}
