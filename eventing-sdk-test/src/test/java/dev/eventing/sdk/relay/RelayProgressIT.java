package dev.eventing.sdk.relay;

import java.util.Objects;
import java.util.stream.LongStream;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.relay.RelayProgress.Published;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What relays have published is read often, whatever they could not publish. */
class RelayProgressIT {

	private static final int REFUSED = 100_000;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	@Test
	void readsTheFirstRefusalsOfEachRelayAndNoOthers() throws Exception {
		SingleConnectionDataSource session = this.fixture
			.opened(new SingleConnectionDataSource(this.fixture.dataSource().getConnection(), true));
		JdbcTemplate jdbc = new JdbcTemplate(session);
		jdbc.execute("""
				insert into eventing.relays (relay_name) values ('one'), ('two');
				insert into eventing.relay_positions (relay_name, position) values ('one', 900000), ('two', 800000);
				insert into eventing.relay_streams (relay_name, stream, stream_created, last_sequence)
				values ('one', 'S', now(), 1)""");
		refuse(jdbc, "one", 1, 20);
		refuse(jdbc, "two", 11, 30);
		RelayProgress relays = new RelayProgress(jdbc, EventingSchema.defaults());
		Published few = Objects.requireNonNull(relays.published("S"));
		assertThat(few.position()).isEqualTo(800_000);
		assertThat(few.refused()).isEqualTo(LongStream.rangeClosed(1, 30).boxed().toList());
		assertThat(relays.published("T")).isNull();
		refuse(jdbc, "one", 31, REFUSED);
		refuse(jdbc, "two", 31, REFUSED);
		jdbc.execute("analyze eventing.relay_refusals");
		session.getConnection().setAutoCommit(false);
		Published many = Objects.requireNonNull(relays.published("S"));
		assertThat(many.position()).isEqualTo(1000);
		assertThat(many.refused()).isEqualTo(LongStream.rangeClosed(1, 1000).boxed().toList());
		assertThat(jdbc.queryForObject("""
				select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relname = 'relay_refusals'""",
				Long.class))
			.isLessThan(5000);
	}

	private static void refuse(JdbcTemplate jdbc, String relay, int from, int to) {
		jdbc.update("""
				insert into eventing.relay_refusals
				       (relay_name, global_position, tenant_id, stream_id, event_id, status, reason)
				select ?, n, 'acme', 's', gen_random_uuid(), 'HELD', 'a test' from generate_series(?, ?) n""", relay,
				from, to);
	}

}
