package dev.eventing.sdk.schema;

import java.util.UUID;

import javax.sql.DataSource;

import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The SDK's tables in a database of the test, and a role that row level security binds.
 */
abstract class LimitedRoleSetup {

	private final String url = MigratedDatabase.create();

	/** Of a superuser. */
	final DataSource dataSource = TestServers.postgres().dataSource(this.url);

	/** Of a superuser. */
	final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	final String role = "app_" + UUID.randomUUID().toString().substring(0, 8);

	@BeforeEach
	void createRole() {
		this.jdbc.execute("create role " + this.role + " login; grant usage on schema eventing to " + this.role
				+ "; grant all on all tables in schema eventing to " + this.role
				+ "; grant usage, select on all sequences in schema eventing to " + this.role);
	}

	@AfterEach
	void dropDatabaseAndRole() {
		TestServers.postgres().dropDatabase(this.url);
		new JdbcTemplate(TestServers.postgres().dataSource(TestServers.postgres().jdbcUrl()))
			.execute("drop role " + this.role);
	}

	/** Connections of the role. */
	DataSource asRole() {
		return TestServers.postgres().dataSource(this.url.replace("user=postgres", "user=" + this.role));
	}

}
