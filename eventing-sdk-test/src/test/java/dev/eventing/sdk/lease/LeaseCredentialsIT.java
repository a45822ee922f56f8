package dev.eventing.sdk.lease;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The pool has connections, and its settings do not suffice for one more: credentials
 * rotate, or a role may have no more connections. A lease is renewed all the same.
 */
class LeaseCredentialsIT extends LeaseSetup {

	private static final int CONNECTIONS = 3;

	private String role = "app_" + UUID.randomUUID().toString().substring(0, 8);

	@BeforeEach
	void createRole() {
		this.jdbc.execute("create role " + this.role + " login; grant usage on schema eventing to " + this.role
				+ "; grant all on all tables in schema eventing to " + this.role);
	}

	@AfterEach
	void dropRole() {
		this.jdbc.execute("drop owned by " + this.role);
		this.jdbc.execute("drop role " + this.role);
	}

	@Test
	void isRenewedWithWhatTheProviderOfThePoolGives() {
		HikariDataSource own = pool(url());
		own.setUsername("nobody");
		own.setCredentialsProvider(() -> Credentials.of(this.role, ""));
		Lease lease = acquire(node("a", own, DURATION));
		await().until(this::isRenewed);
		await().until(() -> sessions("application_name = 'eventing-leases'") == 1);
		assertThat(lease.isCurrent()).isTrue();
	}

	@Test
	void isRenewedThroughThePoolOnceTheRoleHasAnotherName() throws SQLException {
		HikariDataSource own = filled();
		String former = this.role;
		this.role = former + "_2";
		this.jdbc.execute("alter role " + former + " rename to " + this.role);
		isRenewedThrough(own);
	}

	/** Refusals of a database to a role that is connected already. */
	@ParameterizedTest
	@ValueSource(strings = { "alter role %1$s connection limit %2$d", "alter role %1$s nologin",
			"revoke connect on database %3$s from public" })
	void isRenewedThroughThePoolWhereTheRoleMayHaveNoConnectionMore(String statement) throws SQLException {
		HikariDataSource own = filled();
		String database = this.jdbc.queryForObject("select quote_ident(current_database())", String.class);
		this.jdbc.execute(statement.formatted(this.role, CONNECTIONS, database));
		isRenewedThrough(own);
	}

	private void isRenewedThrough(HikariDataSource own) {
		Lease lease = acquire(node("a", own, DURATION));
		await().until(this::isRenewed);
		Steady.holds("the lease is renewed", DURATION.multipliedBy(2), lease::isCurrent);
		assertThat(sessions("true")).as("none but those of the pool").isEqualTo(CONNECTIONS);
	}

	/** A pool of the role that has all the connections that it may have. */
	private HikariDataSource filled() throws SQLException {
		HikariDataSource own = pool(url());
		own.setUsername(this.role);
		own.setMaximumPoolSize(CONNECTIONS);
		own.setMinimumIdle(CONNECTIONS);
		try (Connection one = own.getConnection()) {
			assertThat(one.isValid(1)).isTrue();
		}
		await().until(() -> sessions("true") == CONNECTIONS);
		return own;
	}

	private long sessions(String condition) {
		return count("select count(*) from pg_stat_activity where usename = '" + this.role + "' and " + condition);
	}

	private String url() {
		return this.dataSource.getJdbcUrl().replace("?user=postgres", "");
	}

}
