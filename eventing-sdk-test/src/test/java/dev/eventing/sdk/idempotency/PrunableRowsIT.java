package dev.eventing.sdk.idempotency;

import java.sql.Array;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.deadletter.ledger.OpenLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Old rows are found by where they lie in the table. */
class PrunableRowsIT {

	private static final ProjectorId ORDERS = ProjectorId.of("orders");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final JdbcTemplate jdbc = this.fixture.jdbc();

	private final PrunableRows rows = new PrunableRows(this.jdbc, EventingSchema.defaults(),
			new OpenLetters(EventingSchema.defaults()));

	private final PrunedHistory history = new PrunedHistory(this.jdbc, EventingSchema.defaults());

	@Test
	void readsNoOtherBlocksThanAskedFor() {
		fill("orders", 100_000, Duration.ofDays(9));
		this.jdbc.execute("analyze eventing.processed_events");
		String plan = String.join("\n", this.jdbc.query((connection) -> {
			var statement = connection.prepareStatement("explain " + this.rows.sql());
			Array names = connection.createArrayOf("text", new String[] { "orders" });
			Array times = connection.createArrayOf("timestamptz", new Timestamp[] { Timestamp.from(Instant.now()) });
			statement.setArray(1, names);
			statement.setArray(2, times);
			statement.setString(3, "(0,0)");
			statement.setString(4, "(256,0)");
			return statement;
		}, (row, number) -> row.getString(1)));
		assertThat(plan).contains("Tid Range Scan on processed_events").doesNotContain("Seq Scan on processed_events");
	}

	@Test
	void deletesOldRowsOfTheNamedProjectorsBlockByBlock() {
		fill("orders", 1000, Duration.ofDays(9));
		fill("orders", 500, Duration.ofDays(1));
		fill("users", 700, Duration.ofDays(3));
		fill("others", 10, Duration.ofDays(30));
		Instant now = Instant.now();
		Map<ProjectorId, Instant> before = Map.of(ORDERS, now.minus(Duration.ofDays(7)), ProjectorId.of("users"),
				now.minus(Duration.ofDays(2)));
		long blocks = this.rows.blocks();
		assertThat(blocks).isGreaterThan(10);
		assertThat(this.rows.delete(before, 0, 1).get(ORDERS)).isBetween(1L, 200L);
		this.rows.delete(before, 1, blocks);
		assertThat(this.jdbc.queryForList("select projector_name || ' ' || count(*) from eventing.processed_events"
				+ " group by projector_name order by 1", String.class))
			.isEqualTo(List.of("orders 500", "others 10"));
		assertThat(this.rows.delete(before, 0, blocks)).isEmpty();
	}

	/** A session begins with the time zone of the JVM. Both may change later. */
	@ParameterizedTest
	@ValueSource(strings = { "Etc/GMT+12", "Etc/GMT-14" })
	void deletesUpToTheTimeWhateverTheZoneOfTheSession(String zone) {
		fill("orders", 3, Duration.ofHours(3));
		fill("orders", 5, Duration.ofHours(1));
		Map<ProjectorId, Instant> before = Map.of(ORDERS, Instant.now().minus(Duration.ofHours(2)));
		this.fixture.transaction().executeWithoutResult((status) -> {
			this.jdbc.execute("set local time zone '" + zone + "'");
			assertThat(this.rows.delete(before, 0, this.rows.blocks())).isEqualTo(Map.of(ORDERS, 3L));
		});
		assertThat(this.jdbc.queryForObject("select count(*) from eventing.processed_events", Long.class)).isEqualTo(5);
	}

	@Test
	void neverSaysThatLessIsForgottenOrThatTheFutureIs() {
		Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
		Duration week = Duration.ofDays(7);
		assertThat(this.history.of(ORDERS)).isEmpty();
		assertThat(this.history.inStreams()).isEmpty();
		assertThat(this.history.forget(ORDERS, null, now.minus(week), week)).isEqualTo(now.minus(week));
		assertThat(this.history.inStreams()).as("nothing that reads a stream").isEmpty();
		Instant earlier = now.minus(week).minus(week);
		assertThat(this.history.forget(ORDERS, "ORDERS", earlier, week)).as("what may go").isEqualTo(earlier);
		assertThat(this.history.of(ORDERS).orElseThrow().before()).as("what is gone")
			.isBetween(now.minus(week).minusMillis(1), now.minus(week).plusMillis(1));
		Instant far = now.plus(week);
		assertThat(this.history.forget(ORDERS, "ORDERS", far, week)).isBefore(now.plus(Duration.ofHours(1)));
		assertThat(this.history.inStreams().orElseThrow().projector()).isEqualTo(ORDERS);
	}

	private void fill(String projector, int count, Duration age) {
		this.jdbc.update("""
				insert into eventing.processed_events (projector_name, event_id, tenant_id, processed_at)
				select ?, gen_random_uuid(), 'acme', now() - ? * interval '1 second' from generate_series(1, ?)""",
				projector, age.toSeconds(), count);
	}

}
