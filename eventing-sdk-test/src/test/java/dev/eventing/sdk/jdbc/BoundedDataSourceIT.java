package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Of a server that answers, and only takes too long for a statement. */
class BoundedDataSourceIT {

	private static final Duration BOUND = Duration.ofSeconds(1);

	private static final int LONG_MILLIS = 60_000;

	private static final String TOO_LONG = "select pg_sleep(20)";

	private static final String CANCELED = "57014";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final HikariDataSource pool = this.fixture.pool(this.fixture.emptyDatabase(), 2);

	@Test
	void cancelsAStatementThatTakesTooLongAndKeepsItsConnection() throws SQLException {
		try (Connection connection = patientlyConnected(); Statement statement = connection.createStatement()) {
			assertThatCancels(() -> statement.execute(TOO_LONG));
			assertThat(connection.isValid(30)).isTrue();
		}
	}

	@Test
	void cancelsAPreparedStatementThatTakesTooLongAndKeepsItsConnection() throws SQLException {
		try (Connection connection = patientlyConnected();
				PreparedStatement statement = connection.prepareStatement(TOO_LONG)) {
			assertThatCancels(statement::executeQuery);
			assertThat(connection.isValid(30)).isTrue();
		}
	}

	/** Waits for answers for long, so that nothing but a cancel ends a statement. */
	private Connection patientlyConnected() throws SQLException {
		Connection connection = BoundedDataSource.of(this.pool, BOUND).getConnection();
		connection.setNetworkTimeout(Runnable::run, LONG_MILLIS);
		return connection;
	}

	private void assertThatCancels(Execution execution) {
		Elapsed canceled = Stopwatch.time(() -> assertThatExceptionOfType(SQLException.class).isThrownBy(execution::run)
			.extracting(SQLException::getSQLState)
			.isEqualTo(CANCELED));
		assertThat(canceled.took()).isGreaterThanOrEqualTo(BOUND.dividedBy(2));
		canceled.assertWithin(BOUND.multipliedBy(8));
		await().until(this::sleeping, (sleeping) -> sleeping == 0);
	}

	private long sleeping() {
		Long sleeping = new JdbcTemplate(this.pool).queryForObject("""
				select count(*) from pg_stat_activity
				 where datname = current_database() and state = 'active' and wait_event = 'PgSleep'""", Long.class);
		return (sleeping != null) ? sleeping : 0;
	}

	/** A statement that takes too long. */
	private interface Execution {

		void run() throws SQLException;

	}

}
