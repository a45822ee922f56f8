package dev.eventing.sdk.projector.attempt;

import dev.eventing.sdk.fixture.Backends;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the role of an application can know about the server. */
class DatabaseProbeIT {

	@RegisterExtension
	static final Fixture FIXTURE = new Fixture();

	private static PostgresServer postgres;

	private static String url;

	private static JdbcTemplate administrator;

	private static DatabaseProbe probe;

	@BeforeAll
	static void startServer() {
		postgres = FIXTURE.opened(PostgresServer.start());
		url = postgres.createDatabase();
		administrator = new JdbcTemplate(postgres.dataSource(url));
		administrator.execute("create role reader login");
		probe = new DatabaseProbe(new JdbcTemplate(postgres.dataSource(url.replace("user=postgres", "user=reader"))));
	}

	@Test
	void isNotWellShortlyAfterASessionCrashed() {
		awaitWell();
		long begunAt = System.nanoTime();
		crash();
		assertThat(probe.isWellSince(begunAt)).isFalse();
		assertThat(probe.isWellSince(System.nanoTime())).as("it may crash again").isFalse();
	}

	/** As after an operator has set the numbers of one view back. */
	@Test
	void isWellAfterOneOfTheStatisticsWasReset() {
		awaitWell();
		long begunAt = System.nanoTime();
		administrator.execute("select pg_stat_reset_shared('bgwriter')");
		assertThat(probe.isWellSince(begunAt)).isTrue();
	}

	/** Then a crash is not known. The start of the server is. */
	@Test
	void isWellWhereTheRoleMayNotReadTheStatistics() {
		awaitWell();
		administrator.execute("revoke select on pg_stat_archiver from public");
		try {
			long begunAt = System.nanoTime();
			crash();
			assertThat(probe.isWellSince(begunAt)).isTrue();
			postgres.restart();
			assertThat(probe.isWellSince(begunAt)).isFalse();
		}
		finally {
			administrator.execute("grant select on pg_stat_archiver to public");
		}
	}

	/** The server has been up for some seconds. */
	private void awaitWell() {
		await().until(() -> probe.isWellSince(System.nanoTime()));
	}

	private void crash() {
		Backends.crashOne(postgres.dataSource(url));
		await().ignoreExceptions().until(probe::answers);
	}

}
