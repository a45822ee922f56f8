package dev.eventing.sdk.lease;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The password of the role changes while a node holds a lease. */
class LeasePasswordsIT {

	private static final Duration DURATION = Duration.ofSeconds(2);

	private static final int CONNECTIONS = 4;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final PostgresServer server = this.fixture.opened(PostgresServer.start());

	private final HikariDataSource administrator = pool();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.administrator);

	private final AtomicReference<String> password = new AtomicReference<>("one");

	/** The server asks all but its administrator for a password. */
	@BeforeEach
	void askForPasswords() {
		new SchemaInitializer(this.administrator, EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
		this.jdbc.execute("create role app login password 'one'; grant usage on schema eventing to app;"
				+ " grant all on all tables in schema eventing to app");
		String file = this.jdbc.queryForObject("show hba_file", String.class);
		this.jdbc.execute("""
				copy (values ('local all all trust'), ('host all postgres all trust'),
				             ('host all all all scram-sha-256')) to '%s'""".formatted(file));
		this.jdbc.execute("select pg_reload_conf()");
		await().until(this::asks);
	}

	private boolean asks() {
		try {
			DriverManager.getConnection(url(), "app", "neither").close();
			return false;
		}
		catch (SQLException ex) {
			return "28P01".equals(ex.getSQLState());
		}
	}

	@Test
	void isRenewedWithTheNextPasswordThatTheProviderGives() {
		try (HikariDataSource own = pool()) {
			own.setUsername("app");
			own.setPassword("one");
			own.setCredentialsProvider(() -> Credentials.of("app", this.password.get()));
			new JdbcTemplate(own).execute("select 1");
			rotate();
			isRenewedBy(own, "usename = 'app' and application_name = 'eventing-leases'", 1);
		}
	}

	@Test
	void isRenewedThroughThePoolWhereItsPasswordIsNoLongerThatOfTheRole() {
		try (HikariDataSource own = filled()) {
			rotate();
			isRenewedBy(own, "usename = 'app'", CONNECTIONS);
		}
	}

	@Test
	void isRenewedThroughThePoolWhereItNoLongerHasAPassword() {
		try (HikariDataSource own = filled()) {
			own.setPassword(null);
			isRenewedBy(own, "usename = 'app'", CONNECTIONS);
		}
	}

	private void rotate() {
		this.password.set("two");
		this.jdbc.execute("alter role app password 'two'");
	}

	private void isRenewedBy(HikariDataSource own, String sessions, int expected) {
		try (Leases leases = new Leases(own, EventingSchema.defaults(), new LeaseOptions("a", DURATION))) {
			Lease lease = LeaseSetup.acquire(leases);
			await().until(() -> count("""
					select count(*) from eventing.leases
					 where expires_at > acquired_at + interval '2400 ms'""") == 1);
			Steady.holds("the lease is renewed", DURATION.multipliedBy(2), lease::isCurrent);
			assertThat(count("select count(*) from pg_stat_activity where " + sessions)).isEqualTo(expected);
		}
	}

	private long count(String sql) {
		Long count = this.jdbc.queryForObject(sql, Long.class);
		return (count != null) ? count : 0;
	}

	/** A pool of the role that has its connections. */
	private HikariDataSource filled() {
		HikariDataSource own = pool();
		own.setUsername("app");
		own.setPassword("one");
		own.setMinimumIdle(CONNECTIONS);
		new JdbcTemplate(own).execute("select 1");
		await().until(() -> count("select count(*) from pg_stat_activity where usename = 'app'") == CONNECTIONS);
		return own;
	}

	private HikariDataSource pool() {
		return this.fixture.pool(url(), CONNECTIONS);
	}

	private String url() {
		return this.server.jdbcUrl().replace("?user=postgres", "");
	}

}
