package dev.eventing.sdk.projection.ledger;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Random;

import javax.sql.DataSource;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Where a time lies among the positions of the event store. */
class PastPositionIT {

	private static final int EVENTS = 30_000;

	private static final Instant MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final JdbcTemplate jdbc = this.fixture.jdbc();

	private final PastPosition past = new PastPosition(this.jdbc, EventingSchema.defaults());

	/** One a second, with holes, each up to five seconds too early or too late. */
	@BeforeEach
	void appendEvents() {
		this.jdbc.update(
				"""
						insert into eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at,
						                             recorded_at, payload, metadata)
						select gen_random_uuid(), 'acme', 's', n, 'Noted', now(),
						       timestamptz '2026-01-01 00:00Z' + n * interval '1 second' + (random() * 10 - 5) * interval '1 second',
						       '{}', '{}' from generate_series(1, ?) n""",
				EVENTS);
		this.jdbc.update("delete from eventing.events where global_position % 10 in (3, 4)");
		this.jdbc.execute("analyze eventing.events");
	}

	@Test
	void isTheLastOneBeforeTheFirstEventThatWasRecordedLater() {
		long seed = System.nanoTime();
		System.out.println("seed=" + seed);
		Random random = new Random(seed);
		for (int round = 0; round < 100; round++) {
			Instant time = MIDNIGHT.plusMillis(10_000 + random.nextInt(EVENTS * 1000 - 20_000));
			long last = find("select max(global_position) from eventing.events where recorded_at <= ?", time);
			assertThat(this.past.find(new Until.Time(time))).as("seed=%d, %s", seed, time)
				.isEqualTo(new PastPosition.Found(
						find("select min(global_position) - 1 from eventing.events where global_position > ?", last),
						null, false));
		}
	}

	/** Also one that was recorded at that very moment. */
	@Test
	void isThatOfTheLastEventWhereAllWereRecordedByThen() {
		this.jdbc.update("""
				update eventing.events set recorded_at = recorded_at + interval '1 minute'
				 where global_position = (select max(global_position) from eventing.events)""");
		OffsetDateTime latest = Objects.requireNonNull(
				this.jdbc.queryForObject("select max(recorded_at) from eventing.events", OffsetDateTime.class));
		long head = find("select max(global_position) from eventing.events where global_position > ?", 0L);
		assertThat(this.past.find(new Until.Time(latest.toInstant())).position()).isEqualTo(head);
		assertThat(this.past.find(new Until.Time(Instant.now())).position()).isEqualTo(head);
		assertThat(this.past.find(new Until.Position(head)).position()).isEqualTo(head);
		assertThat(this.past.find(new Until.Position(4)).position()).as("a hole").isEqualTo(4);
	}

	/** By the primary key, and not by all events after that time. */
	@Test
	void looksAtAFewEventsOnly() {
		this.jdbc
			.update("""
					insert into eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at,
					                             recorded_at, payload, metadata)
					select gen_random_uuid(), 'acme', 't', n, 'Noted', now(),
					       timestamptz '2026-02-01 00:00Z' + n * interval '1 second', '{}', '{}' from generate_series(1, 60000) n""");
		this.jdbc.execute("analyze eventing.events");
		DataSource dataSource = Objects.requireNonNull(this.jdbc.getDataSource());
		long read = Objects
			.requireNonNull(new TransactionTemplate(new JdbcTransactionManager(dataSource)).execute((status) -> {
				this.past.find(new Until.Time(MIDNIGHT.plusSeconds(3600)));
				return read();
			}));
		assertThat(read).isBetween(10_000L, 11_000L);
	}

	/** How many events this transaction has fetched. */
	private long read() {
		return Objects.requireNonNull(this.jdbc.queryForObject("""
				select coalesce(idx_tup_fetch, 0) + seq_tup_read
				  from pg_stat_xact_user_tables where relname = 'events'""", Long.class));
	}

	private long find(String sql, Object parameter) {
		Object given = (parameter instanceof Instant time) ? time.atOffset(ZoneOffset.UTC) : parameter;
		return Objects.requireNonNull(this.jdbc.queryForObject(sql, Long.class, given));
	}

}
