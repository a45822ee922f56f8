package dev.eventing.sdk.relay;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.fixture.Statements;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.Published;
import dev.eventing.sdk.nats.StreamTail;
import dev.eventing.sdk.nats.StreamTails;
import dev.eventing.sdk.relay.JdbcRelayPositions.Mark;
import dev.eventing.sdk.relay.JdbcRelayPositions.Passed;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.LogSetBackException;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

/** A relay's saved position, after a crash or a set-back of the database. */
class RelayCheckpointIT {

	private static final EventingSchema SCHEMA = EventingSchema.defaults();

	private static final StoredEvent STORED = new StoredEvent(1, Instant.EPOCH, Event
		.builder(TenantId.of("acme"), UnboundPayload.of("{}".getBytes(StandardCharsets.UTF_8), EventJson.mapper()))
		.type("tested")
		.streamId("a-1")
		.build());

	@RegisterExtension
	final Fixture fixture = new Fixture();

	@Test
	@Tag("crash")
	void keepsARefusalThroughACrashOfTheServer() {
		// Nothing is flushed meanwhile but what a commit flushes.
		try (PostgresServer server = PostgresServer
			.start(Map.of("wal_writer_delay", "10s", "wal_writer_flush_after", "0"));
				HikariDataSource dataSource = dataSource(server.createDatabase());
				Leases leases = new Leases(dataSource, SCHEMA, LeaseOptions.defaults())) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			RelayCheckpoint checkpoint = checkpoint(dataSource, jdbc, leases);
			checkpoint.refused(Slot.of(STORED), "too large");
			checkpoint.save(1, null);
			server.kill();
			server.restart();
			await().ignoreExceptions().until(() -> count(jdbc, "select 1") == 1);
			assertThat(count(jdbc, "select count(*) from eventing.relay_refusals where status = 'REFUSED'")).isOne();
			assertThat(count(jdbc, "select position from eventing.relay_positions")).isOne();
		}
	}

	@Test
	void savesOverNoPositionThatSomebodyElseMoved() {
		try (HikariDataSource dataSource = this.fixture.pool(4);
				Leases leases = new Leases(dataSource, SCHEMA, LeaseOptions.defaults())) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			RelayCheckpoint checkpoint = checkpoint(dataSource, jdbc, leases);
			checkpoint.save(10, null);
			jdbc.update("update eventing.relay_positions set position = 5");
			assertThatExceptionOfType(LogSetBackException.class).isThrownBy(() -> checkpoint.save(20, null))
				.withMessageContaining("from 10 to 20");
			assertThat(count(jdbc, "select position from eventing.relay_positions")).isEqualTo(5);
		}
	}

	@Test
	void savesNoPositionPastAnEventThatIsNotThereAnyMore() {
		try (HikariDataSource dataSource = this.fixture.pool(4);
				Leases leases = new Leases(dataSource, SCHEMA, LeaseOptions.defaults())) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			RelayCheckpoint checkpoint = checkpoint(dataSource, jdbc, leases);
			assertThatExceptionOfType(LogSetBackException.class)
				.isThrownBy(() -> checkpoint.save(1, Passed.of(STORED)));
			assertThat(count(jdbc, "select position from eventing.relay_positions")).isZero();
		}
	}

	@Test
	void noticesThatAStreamGivesSequencesAgain() {
		try (HikariDataSource dataSource = this.fixture.pool(4);
				Leases leases = new Leases(dataSource, SCHEMA, LeaseOptions.defaults())) {
			RelayCheckpoint checkpoint = checkpoint(dataSource, new JdbcTemplate(dataSource), leases);
			checkpoint.begin(0, Map.of("A", new Mark(Instant.EPOCH, 10), "B", new Mark(Instant.EPOCH, 20)));
			checkpoint.confirmed(new Published("A", 11, false));
			checkpoint.confirmed(new Published("A", 13, false));
			checkpoint.confirmed(new Published("A", 12, true));
			checkpoint.confirmed(new Published("B", 3, true));
			checkpoint.compareWith((stream) -> Optional.of(tail(stream, Instant.EPOCH, 20)));
			assertThat(checkpoint.isSetBack()).isFalse();
			checkpoint.confirmed(new Published("A", 13, false));
			checkpoint.confirmed(new Published("A", 12, false));
			assertThat(checkpoint.givenAgain()).containsExactly(entry("A", 12L));
			checkpoint.compareWith((stream) -> Optional.of(tail(stream, Instant.EPOCH, 15)));
			assertThat(checkpoint.givenAgain()).containsOnly(entry("A", 12L), entry("B", 16L));
			checkpoint.compareWith((stream) -> Optional.of(tail(stream, Instant.EPOCH.plusSeconds(1), 30)));
			assertThat(checkpoint.givenAgain()).containsOnly(entry("A", 1L), entry("B", 1L));
		}
	}

	private static StreamTail tail(String stream, Instant created, long last) {
		return new StreamTail(stream, created, List.of(">"), 1, last);
	}

	@Test
	void looksAtRefusalsOnlyWhereSomethingMayHaveChanged() {
		try (HikariDataSource dataSource = this.fixture.pool(4);
				Leases leases = new Leases(dataSource, SCHEMA, LeaseOptions.defaults());
				NatsClient client = new NatsClient(NatsOptions.of(TestServers.nats().url()))) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			RelayCheckpoint checkpoint = checkpoint(dataSource, jdbc, leases);
			checkpoint.refused(Slot.of(STORED), "too large");
			checkpoint.save(1, null);
			Statements statements = new Statements(dataSource);
			JdbcRefusals refusals = new JdbcRefusals(new JdbcTemplate(statements), SCHEMA, "test",
					RefusedEvents.STOP_STREAM);
			StoppedStreams streams = new StoppedStreams(RefusedEvents.STOP_STREAM, refusals,
					new EventLog(dataSource, SCHEMA, EventJson.mapper()), checkpoint,
					new SetAside(RelayOptions.named("test"), refusals, checkpoint, new StreamTails(client)));
			Window window = new Window(10, 1_000_000);
			streams.load();
			streams.retryInto(window, inSeconds(20)); // a look that took long is not
														// repeated soon
			assertThat(streams.size()).isOne();
			int before = statements.about("relay_refusals");
			for (int second = 4; second <= 20; second += 2) {
				streams.retryInto(window, inSeconds(second));
			}
			assertThat(statements.about("relay_refusals") - before).as("looks without a change").isZero();
			new JdbcRefusals(jdbc, SCHEMA, "test", RefusedEvents.STOP_STREAM).retry(Slot.of(STORED).key());
			streams.retryInto(window, inSeconds(22));
			assertThat(statements.about("relay_refusals") - before).as("an operator's word").isPositive();
			assertThat(count(jdbc, "select count(*) from eventing.relay_refusals")).as("there is no such event")
				.isZero();
		}
	}

	/** It may die before it has compared them. */
	@Test
	void tellsTheNextNodeThatAStreamGivesSequencesAgain() {
		try (HikariDataSource dataSource = this.fixture.pool(4);
				Leases leases = new Leases(dataSource, SCHEMA, LeaseOptions.defaults())) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			JdbcRelayPositions positions = new JdbcRelayPositions(jdbc, SCHEMA, "test");
			RelayCheckpoint checkpoint = checkpoint(dataSource, jdbc, leases);
			positions.mark("A", new Mark(Instant.EPOCH, 10));
			positions.mark("B", new Mark(Instant.EPOCH, 10));
			checkpoint.begin(0, positions.marks());
			checkpoint.confirmed(new Published("A", 8, false));
			checkpoint.confirmed(new Published("A", 9, false));
			checkpoint.noteGivenAgain();
			assertThat(positions.givenAgain()).containsExactly(entry("A", 8L));
			positions.mark("A", new Mark(Instant.EPOCH, 7));
			assertThat(positions.givenAgain()).isEmpty();
		}
	}

	@Test
	void changesFewRowsAtOnceHoweverManyEventsOfAStreamAreHeld() {
		try (HikariDataSource dataSource = this.fixture.pool(4);
				Leases leases = new Leases(dataSource, SCHEMA, LeaseOptions.defaults())) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			RelayCheckpoint checkpoint = checkpoint(dataSource, jdbc, leases);
			JdbcRefusals refusals = new JdbcRefusals(jdbc, SCHEMA, "test", RefusedEvents.STOP_STREAM);
			Slot first = Slot.of(STORED);
			checkpoint.refused(first, "too large");
			checkpoint.save(1, null);
			jdbc.update("""
					insert into eventing.relay_refusals (relay_name, global_position, tenant_id, stream_id, event_id,
					                                     status, reason)
					select 'test', n, 'acme', 'a-1', gen_random_uuid(), 'HELD', '' from generate_series(2, 1000) n""");
			assertThat(refusals.retry(first.key())).isEqualTo(1000);
			assertThat(toBeTried(jdbc)).containsExactly(1L);
			assertThat(refusals.toRetry(first.key(), 3)).containsExactly(1L, 2L, 3L);
			jdbc.update(
					"""
							insert into eventing.relay_late_events (relay_name, global_position, tenant_id, stream_id, event_id,
							                                        stream, stream_created, sequence, published_at)
							values ('test', 0, 'acme', 'a-0', gen_random_uuid(), 'S', now(), 6, now() - interval '25 hours')""");
			checkpoint.published(first, new Published("S", 7, false));
			checkpoint.save(1, null);
			checkpoint.removeOldLate();
			assertThat(
					jdbc.queryForList("select event_id from eventing.relay_late_events where stream = 'S'", UUID.class))
				.containsExactly(STORED.event().id());
			assertThat(toBeTried(jdbc)).containsExactly(2L);
			checkpoint.owned(refusals::releaseHeld);
			assertThat(toBeTried(jdbc)).containsExactly(2L);
			assertThat(refusals.giveUp(2)).isTrue();
			assertThat(toBeTried(jdbc)).containsExactly(3L);
		}
	}

	@Test
	void hasManyStreamsTriedByStatementsThatChangeSoManyRowsAtMost() {
		try (HikariDataSource dataSource = this.fixture.pool(4)) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			JdbcRefusals refusals = new JdbcRefusals(jdbc, SCHEMA, "test", RefusedEvents.STOP_STREAM);
			jdbc.update("""
					insert into eventing.relay_refusals (relay_name, global_position, tenant_id, stream_id, event_id,
					                                     status, reason, subject)
					select 'test', n, 'acme', 'a-' || n, gen_random_uuid(), 'WAITING', '', 'a.' || n % 2
					  from generate_series(1, 10) n""");
			assertThat(refusals.carried(List.of("a.0"), 3)).isEqualTo(3);
			assertThat(refusals.carried(List.of("a.0"), 3)).isEqualTo(2);
			assertThat(refusals.carried(List.of("a.0"), 3)).isZero();
			assertThat(toBeTried(jdbc)).containsExactly(2L, 4L, 6L, 8L, 10L);
		}
	}

	private static List<Long> toBeTried(JdbcTemplate jdbc) {
		return jdbc.queryForList("""
				select global_position from eventing.relay_refusals where status = 'RETRY' order by global_position
				""", Long.class);
	}

	private static long inSeconds(int seconds) {
		return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
	}

	private static HikariDataSource dataSource(String url) {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl(url);
		dataSource.setMaximumPoolSize(4);
		new SchemaInitializer(dataSource, SCHEMA, SchemaMode.MIGRATE).initialize();
		return dataSource;
	}

	private static RelayCheckpoint checkpoint(HikariDataSource dataSource, JdbcTemplate jdbc, Leases leases) {
		JdbcRelayPositions positions = new JdbcRelayPositions(jdbc, SCHEMA, "test");
		assertThat(positions.find().position()).isZero();
		return new RelayCheckpoint(Objects.requireNonNull(leases.tryAcquire("relay/test")),
				new JdbcTransactionManager(dataSource), jdbc, positions,
				new JdbcRefusals(jdbc, SCHEMA, "test", RefusedEvents.STOP_STREAM),
				new LateEvents(jdbc, SCHEMA, "test"));
	}

	private static long count(JdbcTemplate jdbc, String sql) {
		return Objects.requireNonNull(jdbc.queryForObject(sql, Long.class));
	}

}
