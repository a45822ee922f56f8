package dev.eventing.sdk.schema;

import javax.sql.DataSource;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The SDK's tables in a database of the test, and a role that row level security binds.
 */
abstract class LimitedRoleSetup {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	/** Of a superuser. */
	final DataSource dataSource = this.fixture.dataSource();

	/** Of a superuser. */
	final JdbcTemplate jdbc = this.fixture.jdbc();

	final String role = this.fixture.role("login");

	@BeforeEach
	void letTheRoleUseTheTables() {
		this.jdbc.execute(
				"grant usage on schema eventing to " + this.role + "; grant all on all tables in schema eventing to "
						+ this.role + "; grant usage, select on all sequences in schema eventing to " + this.role);
	}

	/** Connections of the role. */
	DataSource asRole() {
		return TestServers.postgres().dataSource(this.fixture.url().replace("user=postgres", "user=" + this.role));
	}

}
