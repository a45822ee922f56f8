package dev.eventing.sdk.projector.feed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.eventing.sdk.test.server.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/** A server that was promoted is told from one that was only restarted. */
@Tag("crash")
class PrimaryHistoryIT {

	@Test
	void isAnotherOnceAStandbyWasPromotedAndNotAfterARestart() throws IOException {
		try (PostgresServer postgres = PostgresServer.start()) {
			String url = postgres.createDatabase();
			JdbcTemplate jdbc = new JdbcTemplate(postgres.dataSource(url));
			jdbc.execute("create role reader login");
			JdbcTemplate reader = new JdbcTemplate(postgres.dataSource(url.replace("user=postgres", "user=reader")));
			PrimaryHistory history = new PrimaryHistory(reader);
			assertThat(history.isAnother()).as("the first look").isFalse();
			assertThat(history.isAnother()).isFalse();
			Path data = Path.of(String.valueOf(jdbc.queryForObject("show data_directory", String.class)));
			postgres.restart();
			await().ignoreExceptions().until(() -> !history.isAnother());
			postgres.stop();
			assumeThat(data).as("the server's files are within reach").isDirectory();
			Files.createFile(data.resolve("standby.signal"));
			postgres.restart();
			// connections to the replica outlive its promotion
			await().ignoreExceptions().untilAsserted(() -> assertThat(history.isAnother()).isFalse());
			await().ignoreExceptions()
				.until(() -> Boolean.TRUE.equals(jdbc.queryForObject("select pg_promote()", Boolean.class)));
			await().ignoreExceptions()
				.until(() -> Boolean.FALSE.equals(jdbc.queryForObject("select pg_is_in_recovery()", Boolean.class)));
			assertThat(history.isAnother()).isTrue();
			assertThat(history.isAnother()).isFalse();
		}
	}

}
