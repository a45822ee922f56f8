package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.annotation.ReadModelRows;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.By;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G10: wherever in the rebuild of a part the process dies, the read model ends as if
 * nothing had happened, while events are appended.
 */
@Tag("crash")
class G10KilledScopeIT {

	private static final String ACCOUNTS = "owned";

	private static final String HOURS = "hours";

	private static final int KILLS = 5;

	private static final int STREAMS = 4;

	private static final int BEFORE = 400;

	/** The longest time between the begin of a rebuild and the kill. */
	private static final int LONGEST = 700;

	private static final Instant MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z");

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Owned.class, Hours.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	private final AtomicBoolean enough = new AtomicBoolean();

	@Test
	void endsAsIfNothingHadHappenedHoweverOftenItsProcessIsKilled() throws Exception {
		System.out.println("crash.seed=" + this.seed);
		this.world.jdbc().execute(ScopeSetup.Hourly.TABLE);
		for (int version = 1; version <= BEFORE; version++) {
			append(version);
		}
		this.projector.start(this.world);
		await().atMost(Patience.PROCESS).until(this::isAtHead);
		ExecutorService writer = Executors.newSingleThreadExecutor();
		int underWay = 0;
		try {
			Future<?> written = writer.submit(() -> {
				int version = BEFORE + 1;
				while (!this.enough.get()) {
					append(version++);
					InlineSetup.pause(Duration.ofMillis(50));
				}
			});
			for (int kill = 0; kill < KILLS; kill++) {
				underWay += killIn(ACCOUNTS, new RebuildScope.Streams(World.ACME, Set.of(stream(0), stream(1)))) ? 1
						: 0;
				underWay += killIn(ACCOUNTS, new RebuildScope.OfTenant(World.ACME)) ? 1 : 0;
				underWay += killIn(ACCOUNTS, ofALetter()) ? 1 : 0;
				underWay += killIn(HOURS, new RebuildScope.Window(MIDNIGHT, MIDNIGHT.plusSeconds(10 * 86_400L), null))
						? 1 : 0;
			}
			this.enough.set(true);
			written.get();
		}
		finally {
			this.enough.set(true);
			writer.shutdown();
		}
		this.projector.start(this.world);
		await().atMost(Patience.PROCESS).until(() -> isDone(ACCOUNTS) && isDone(HOURS) && isAtHead());
		System.out.printf("%d kills, %d of them while a part was being rebuilt, %d events%n", 4 * KILLS, underWay,
				this.world.count("select count(*) from eventing.events"));
		assertThatAllEventsAreIn();
		assertThat(underWay).as("kills while a part was being rebuilt").isGreaterThanOrEqualTo(KILLS);
	}

	/** As one that an operator would find open; its event is applied since. */
	private RebuildScope ofALetter() {
		UUID letter = UUID.randomUUID();
		this.world.jdbc().update("""
				insert into eventing.dead_letters
				  (letter_id, projector_name, tenant_id, event_id, event_type, ordering_key, subject, headers, payload,
				   stream, stream_sequence, published_at, reason, attempts, first_failed_at)
				select ?, ?, e.tenant_id, e.event_id, e.event_type, e.stream_id, 's', '{}', '', 'event-store',
				       e.global_position, now(), 'HANDLER', 1, now()
				  from eventing.events e
				 where e.stream_id = ? and e.stream_version <= 300
				   and not exists (select from eventing.dead_letters d where d.event_id = e.event_id)
				 order by e.stream_version limit 1""", letter, ACCOUNTS, stream(2));
		this.world.jdbc().update("""
				delete from eventing.processed_events p using eventing.dead_letters d
				 where d.letter_id = ? and p.projector_name = d.projector_name and p.event_id = d.event_id""", letter);
		return new RebuildScope.KeysOfLetters(Set.of(letter));
	}

	/** Kills the process while a part is rebuilt, if it is not faster. */
	private boolean killIn(String name, RebuildScope scope) {
		if (!this.projector.isAlive()) {
			this.projector.start(this.world);
			this.projector.awaitReady();
		}
		await().atMost(Patience.PROCESS).until(() -> isDone(name));
		ProjectionRequest request = this.operators.rebuildScope(name, new ScopedRebuild(scope),
				new By("test", "a kill follows"), Patience.PROCESS);
		await().atMost(Patience.PROCESS).pollInterval(Duration.ofMillis(5)).until(() -> {
			ProjectionRequest.State state = this.operators.request(request.id()).orElseThrow().state();
			return !state.status().isOpen() || String.valueOf(state.detail()).contains(" events of ");
		});
		assertThat(this.projector.awaitEnd(Duration.ofMillis(this.random.nextInt(LONGEST)))).isFalse();
		this.projector.kill();
		return !isDone(name);
	}

	private boolean isDone(String name) {
		return this.operators.lastRequest(name).filter((request) -> request.state().status() != Status.DONE).isEmpty();
	}

	private String stream(int number) {
		return this.world.storedStream("s" + number);
	}

	private void append(int version) {
		this.world.inTransaction((store) -> {
			for (int number = 0; number < STREAMS; number++) {
				store.append(World.ACME, stream(number), ExpectedVersion.exact(version - 1L),
						NewEvent.of(new Deposited("s" + number, version, version))
							.withOccurredAt(MIDNIGHT.plusSeconds(1200L * version)));
			}
			return version;
		});
	}

	private boolean isAtHead() {
		long head = this.world.count("select max(global_position) from eventing.events");
		return this.world.checkpoint(ACCOUNTS) == head && this.world.checkpoint(HOURS) == head;
	}

	private void assertThatAllEventsAreIn() {
		long events = this.world.count("select count(*) from eventing.events");
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		AppendedAccounts.assertThatAllAreIn(this.world.jdbc(), "account");
		assertThat(this.world.count("select count(*) from account")).isEqualTo(STREAMS);
		assertThat(this.world.count("select sum(events) from hourly")).isEqualTo(events);
		List<?> wrong = this.world.jdbc().queryForList("""
				select * from (select date_trunc('hour', occurred_at, 'UTC') as hour, count(*) as events,
				                      sum((payload->>'amount')::bigint) as total
				                 from eventing.events group by 1) e
				  full join hourly h using (hour)
				 where h.events is distinct from e.events or h.total is distinct from e.total""");
		assertThat(wrong).isEmpty();
		assertThat(this.world.count("select count(*) from eventing.dead_letters where status <> 'RESOLVED'")).isZero();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
		assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(2 * events);
	}

	/** A row for each stream. */
	@Projector(value = ACCOUNTS, tables = "account",
			rows = @ReadModelRows(streamColumn = "account", streamPrefix = "${root}-"))
	static class Owned {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 2,
				batchSize = 20)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

	/** A roll-up by the hour. */
	@Projector(value = HOURS, tables = "hourly", rows = @ReadModelRows(bucketColumn = "hour", bucketLength = "PT1H"))
	static class Hours {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 2)
		public void on(Event<Deposited> event) {
			this.jdbc.update("""
					insert into hourly as h values (?, date_trunc('hour', ?::timestamptz, 'UTC'), 1, ?)
					on conflict (tenant_id, hour) do update
					   set events = h.events + 1, total = h.total + excluded.total""", event.tenantId().value(),
					event.time().toString(), event.payload().amount());
		}

	}

}
