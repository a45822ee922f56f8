package dev.eventing.sdk.projector.feed;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** A server does not tell its timeline. */
@ExtendWith(OutputCaptureExtension.class)
class UnknownHistoryIT {

	private static final OffsetDateTime STARTED = OffsetDateTime.parse("2026-01-01T00:00:00Z");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	/** Each projector of a process has one, and looks again after each start. */
	@Test
	void isLoggedOnceHoweverManyLookAndHoweverOften(CapturedOutput output) {
		JdbcTemplate jdbc = new JdbcTemplate(TestServers.postgres().dataSource(this.fixture.emptyDatabase()));
		jdbc.execute("alter function pg_catalog.pg_walfile_name(pg_lsn) rename to hidden_function");
		AtomicBoolean logged = new AtomicBoolean();
		List<PrimaryHistory> histories = List.of(new PrimaryHistory(jdbc, logged), new PrimaryHistory(jdbc, logged));
		for (int start = 0; start < 3; start++) {
			OffsetDateTime started = STARTED.plusDays(start);
			assertThat(histories).noneMatch((history) -> history.isAnother(started));
		}
		assertThat(logged).isTrue();
		assertThat(output.getOut().lines().filter((line) -> line.contains("The database does not tell its timeline (")))
			.singleElement()
			.asString()
			.contains("INFO", "function pg_walfile_name(pg_lsn) does not exist");
	}

}
