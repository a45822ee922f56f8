package dev.eventing.sdk.relay;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.relay.ReadAhead.Page;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.StoreOptions;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.test.timing.Steady;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class ReadAheadIT {

	private static final TenantId ACME = TenantId.of("acme");

	private static final EventingSchema SCHEMA = EventingSchema.defaults();

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final AppendSignal signal = new AppendSignal();

	private final WakeUp wakeUp = new WakeUp();

	private final HikariDataSource dataSource = this.fixture.pool(4);

	private final EventStore store = new EventStore(this.dataSource, SCHEMA, EventJson.mapper(), this.signal,
			StoreOptions.defaults(), Clock.systemUTC());

	private ReadAhead log;

	@BeforeEach
	void begin() {
		this.log = readAhead(Duration.ofMillis(50));
	}

	private ReadAhead readAhead(Duration longestPoll) {
		RelayOptions options = new RelayOptions("test", EventSubjects.DEFAULT, Set.of(),
				new RelayOptions.Bounds(100, 1_000_000, 5), PublishMode.ASYNC, RefusedEvents.STOP_STREAM, longestPoll,
				RelayOptions.DEFAULT_STALLED_AFTER);
		return this.fixture.opened(new ReadAhead(options,
				new EventLog(this.dataSource, SCHEMA, EventJson.mapper()).reader(0), this.signal, this.wakeUp));
	}

	@Test
	void readsOnePageForEachTimeItIsAsked() {
		append(12, "x");
		Steady.holds(Duration.ofMillis(200), () -> !this.log.isReady());
		assertThat(this.log.poll()).isNull();
		this.log.ask(1_000_000);
		assertThat(positions(next())).containsExactly(1L, 2L, 3L, 4L, 5L);
		Steady.holds(Duration.ofMillis(200), () -> !this.log.isReady());
		this.log.ask(1_000_000);
		this.log.ask(1_000_000);
		Page second = next();
		assertThat(positions(second)).containsExactly(6L, 7L, 8L, 9L, 10L);
		assertThat(second.end()).isEqualTo(10);
		Steady.holds(Duration.ofMillis(200), () -> !this.log.isReady());
	}

	@Test
	void endsAPageAtTheBytesItIsGiven() {
		append(5, "x".repeat(10_000));
		this.log.ask(25_000);
		assertThat(positions(next())).containsExactly(1L, 2L, 3L);
	}

	@Test
	void isWokenByAnAppendAndWakesWhoWaits() throws InterruptedException {
		this.log.close();
		this.log = readAhead(Duration.ofHours(1));
		this.log.ask(1_000_000);
		// By now it waits for longer than this test may take.
		Steady.holds(Duration.ofMillis(300), () -> !this.log.isReady());
		append(1, "x");
		Stopwatch.time(() -> {
			while (!this.log.isReady()) {
				this.wakeUp.await(TimeUnit.SECONDS.toNanos(30), () -> !this.log.isReady());
			}
		}).assertWithin(Duration.ofSeconds(10));
		assertThat(positions(next())).containsExactly(1L);
	}

	@Test
	void throwsWhatReadingThrewToWhoPolls() {
		new JdbcTemplate(this.dataSource).execute("alter table eventing.events rename to elsewhere");
		this.log.ask(1_000_000);
		await().until(this.log::isReady);
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(this.log::poll);
		assertThatExceptionOfType(DataAccessException.class).as("there will be no other").isThrownBy(this.log::poll);
	}

	@Test
	void endsItsThreadAlsoWhileItWaitsForEvents() {
		ReadAhead idle = readAhead(Duration.ofHours(1));
		idle.ask(1_000_000);
		Steady.holds(Duration.ofMillis(200), () -> !idle.isReady());
		Stopwatch.time(idle::close).assertWithin(Duration.ofSeconds(10));
		append(1, "x");
		Steady.holds(Duration.ofMillis(200), () -> !idle.isReady());
	}

	private Page next() {
		return await().until(this.log::poll, (page) -> page != null);
	}

	private static List<Long> positions(Page page) {
		return page.events().stream().map(StoredEvent::position).toList();
	}

	private void append(int events, String text) {
		NewEvent[] all = IntStream.range(0, events)
			.mapToObj((i) -> NewEvent.of(new Noted(text)))
			.toArray(NewEvent[]::new);
		new TransactionTemplate(new JdbcTransactionManager(this.dataSource))
			.executeWithoutResult((status) -> this.store.append(ACME, "note-1", ExpectedVersion.any(), all));
	}

	record Noted(String text) {
	}

}
