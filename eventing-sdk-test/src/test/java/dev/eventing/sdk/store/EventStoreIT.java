package dev.eventing.sdk.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventContext;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.UnboundPayload;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static dev.eventing.sdk.store.StoreWorld.GLOBEX;
import static dev.eventing.sdk.store.StoreWorld.SCHEMA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class EventStoreIT extends StoreSetup {

	@Nested
	class ExpectingAVersion {

		@Test
		void appendsBehindExactlyThatVersion() {
			assertThat(append(ExpectedVersion.exact(0), placed(1), placed(2))).isEqualTo(new AppendResult(2, 1, 2));
			assertThat(append(ExpectedVersion.exact(2), placed(3))).isEqualTo(new AppendResult(3, 3, 3));
			assertThat(versions("order-1")).containsExactly(1L, 2L, 3L);
		}

		@Test
		void createsAStreamThatDoesNotExist() {
			assertThat(append(ExpectedVersion.noStream(), placed(1)).version()).isEqualTo(1);
			assertConflict(ExpectedVersion.noStream(), 1);
			assertConflict(ExpectedVersion.exact(0), 1);
		}

		@Test
		void appendsWhateverTheVersionIs() {
			assertThat(append(ExpectedVersion.any(), placed(1), placed(2)).version()).isEqualTo(2);
			assertThat(append(ExpectedVersion.any(), placed(3)).version()).isEqualTo(3);
		}

		@Test
		void saysBothVersionsOfAConflict() {
			append(ExpectedVersion.noStream(), placed(1), placed(2));
			assertConflict(ExpectedVersion.exact(1), 2);
			assertConflict(ExpectedVersion.exact(7), 2);
		}

		@Test
		void leavesTheTransactionUsableAfterAConflict() {
			append(ExpectedVersion.noStream(), placed(1));
			EventStoreIT.this.world.transaction().executeWithoutResult((status) -> {
				EventStoreIT.this.store.append(ACME, "other-1", ExpectedVersion.any(), placed(1));
				assertThatExceptionOfType(VersionConflictException.class).isThrownBy(
						() -> EventStoreIT.this.store.append(ACME, "order-1", ExpectedVersion.exact(9), placed(2)));
				EventStoreIT.this.store.append(ACME, "order-1", ExpectedVersion.exact(1), placed(2));
			});
			assertThat(versions("order-1")).containsExactly(1L, 2L);
			assertThat(versions("other-1")).containsExactly(1L);
		}

		private void assertConflict(ExpectedVersion expected, long actual) {
			assertThatExceptionOfType(VersionConflictException.class).isThrownBy(() -> append(expected, placed(1)))
				.satisfies((ex) -> {
					assertThat(ex.expected()).isEqualTo(expected);
					assertThat(ex.actual()).isEqualTo(actual);
					assertThat(ex.streamId()).isEqualTo("order-1");
					assertThat(ex.tenantId()).isEqualTo(ACME);
					assertThat(ex).hasMessageContaining("version " + actual);
				});
		}

	}

	@Nested
	class WithEightWriters {

		private final AtomicInteger conflicts = new AtomicInteger();

		@Test
		void exactVersionsAreContiguousAndConflictsAreTyped() throws Exception {
			eightTimes(() -> {
				for (int i = 0; i < 25; i++) {
					appendExactlyWithRetry();
				}
				return null;
			});
			assertThat(versions("order-1")).containsExactlyElementsOf(LongStream.rangeClosed(1, 400).boxed().toList());
			assertThat(this.conflicts.get()).as("conflicts, without which nothing was tested").isPositive();
			assertPositionsAscendWithVersions();
		}

		@Test
		void anyVersionNeverConflicts() throws Exception {
			eightTimes(() -> {
				Random random = new Random();
				for (int i = 0; i < 50; i++) {
					NewEvent[] events = IntStream.rangeClosed(0, random.nextInt(4))
						.mapToObj(EventStoreIT::placed)
						.toArray(NewEvent[]::new);
					append(ExpectedVersion.any(), events);
				}
				return null;
			});
			long count = EventStoreIT.this.world.count("select count(*) from eventing.events");
			assertThat(versions("order-1"))
				.containsExactlyElementsOf(LongStream.rangeClosed(1, count).boxed().toList());
			assertPositionsAscendWithVersions();
		}

		private void appendExactlyWithRetry() {
			while (true) {
				try {
					long version = EventStoreIT.this.store.version(ACME, "order-1");
					append(ExpectedVersion.exact(version), placed(1), placed(2));
					return;
				}
				catch (VersionConflictException ex) {
					this.conflicts.incrementAndGet();
				}
			}
		}

		private void assertPositionsAscendWithVersions() {
			assertThat(EventStoreIT.this.store.readStream(ACME, "order-1").map(StoredEvent::position).toList())
				.isSorted()
				.doesNotHaveDuplicates();
		}

		private void eightTimes(Callable<Void> work) throws Exception {
			List<Future<Void>> all = new ArrayList<>();
			for (int i = 0; i < WRITERS; i++) {
				all.add(EventStoreIT.this.threads.submit(work));
			}
			for (Future<Void> one : all) {
				one.get(60, TimeUnit.SECONDS);
			}
		}

	}

	@Test
	void theNextWriterOfAStreamWaitsAndDrawsHigherPositions() throws Exception {
		Future<AppendResult> second = this.world.inTransaction(() -> {
			this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(1));
			Future<AppendResult> waiting = this.threads.submit(() -> append(ExpectedVersion.any(), placed(3)));
			await().until(
					() -> this.threads.submit(() -> this.world.count("select count(*) from pg_locks where not granted"))
						.get() > 0);
			assertThat(this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(2)))
				.as("no position was drawn by the one that waits")
				.isEqualTo(new AppendResult(2, 2, 2));
			return waiting;
		});
		assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(new AppendResult(3, 3, 3));
	}

	@Test
	void tenantsHaveStreamsOfTheirOwn() {
		NewEvent event = placed(1);
		this.world.append(ACME, "order-1", ExpectedVersion.noStream(), event, placed(2));
		this.world.append(GLOBEX, "order-1", ExpectedVersion.noStream(), event);
		assertThat(this.store.version(ACME, "order-1")).isEqualTo(2);
		assertThat(this.store.version(GLOBEX, "order-1")).isEqualTo(1);
		assertThat(this.store.readStream(GLOBEX, "order-1")).hasSize(1)
			.allMatch((stored) -> stored.event().tenantId().equals(GLOBEX));
	}

	@Test
	void givesBackAllThatAnEventSays() {
		Instant occurred = Instant.parse("2026-01-31T12:00:00.123456789Z");
		UUID id = UUID.randomUUID();
		NewEvent event = placed(7).withId(id)
			.withType("order.placed")
			.withOccurredAt(occurred)
			.withKey("customer-1")
			.withCorrelationId("conversation")
			.withCausationId("command")
			.withHeader("traceparent", "00-1-2-01");
		append(ExpectedVersion.any(), event);
		StoredEvent stored = this.store.readStream(ACME, "order-1").findFirst().orElseThrow();
		Event<UnboundPayload> read = stored.event();
		assertThat(read.id()).isEqualTo(id);
		assertThat(read.type()).isEqualTo("order.placed");
		assertThat(read.time()).as("cut to the microsecond").isEqualTo(Instant.parse("2026-01-31T12:00:00.123456Z"));
		assertThat(read.source()).isEqualTo("eventing-sdk");
		assertThat(read.streamId()).isEqualTo("order-1");
		assertThat(read.streamVersion()).isEqualTo(1);
		assertThat(read.key()).isEqualTo("customer-1");
		assertThat(read.correlationId()).isEqualTo("conversation");
		assertThat(read.causationId()).isEqualTo("command");
		assertThat(read.headers().first("traceparent")).isEqualTo("00-1-2-01");
		assertThat(read.payload().<Placed>bind(Placed.class)).isEqualTo(new Placed(7, "näh"));
		assertThat(stored.recordedAt()).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
		assertThat(this.world.log().find(stored.position())).get().extracting(StoredEvent::version).isEqualTo(1L);
	}

	@Test
	void takesWhatTheEventDoesNotSayFromTheContext() {
		EventContext context = new EventContext("conversation", "command", "Zoë Müller");
		try (EventContext.Scope scope = context.open()) {
			assertThat(scope).isNotNull();
			append(ExpectedVersion.any(), placed(1), placed(2).withCausationId("own"));
		}
		append(ExpectedVersion.any(), placed(3));
		List<Event<UnboundPayload>> events = this.store.readStream(ACME, "order-1").map(StoredEvent::event).toList();
		assertThat(events).extracting(Event::correlationId).containsExactly("conversation", "conversation", null);
		assertThat(events).extracting(Event::causationId).containsExactly("command", "own", null);
		assertThat(EventContext.causedBy(events.get(0)))
			.isEqualTo(new EventContext("conversation", events.get(0).id().toString(), "Zoë Müller"));
		assertThat(this.world
			.count("select count(*) from eventing.events where metadata = '{\"source\": " + "\"eventing-sdk\"}'"))
			.as("nothing is kept that is not there")
			.isEqualTo(1);
	}

	@Test
	void givesEventsTimeOrderedIdsByDefault() {
		append(ExpectedVersion.any(), placed(1), placed(2), placed(3));
		List<UUID> ids = this.store.readStream(ACME, "order-1").map((stored) -> stored.event().id()).toList();
		assertThat(ids).allMatch((id) -> id.version() == 7).isSorted();
	}

	@Test
	void readsPartsOfALongStreamPageByPage() {
		append(ExpectedVersion.any(),
				IntStream.range(0, 1_201).mapToObj(EventStoreIT::placed).toArray(NewEvent[]::new));
		assertThat(versions("order-1")).hasSize(1_201).isSorted().startsWith(1L).endsWith(1_201L);
		assertThat(this.store.readStream(ACME, "order-1", 500, 1_001).map(StoredEvent::version)).hasSize(502)
			.startsWith(500L)
			.endsWith(1_001L);
		assertThat(this.store.readStream(ACME, "order-1", 1_202, 2_000)).isEmpty();
		assertThat(this.store.readStream(ACME, "order-2")).isEmpty();
		CountingDataSource counting = new CountingDataSource(this.world.dataSource());
		EventStore counted = new EventStore(counting, SCHEMA, EventJson.mapper(), new AppendSignal(),
				StoreOptions.defaults(), Clock.systemUTC());
		Stream<StoredEvent> lazy = counted.readStream(ACME, "order-1");
		assertThat(counting.statements()).isZero();
		assertThat(lazy.limit(3)).hasSize(3);
		assertThat(counting.statements()).isEqualTo(1);
	}

	@Test
	void readsAStreamOfLargeEventsByPagesOfSomeMegabytes() {
		readsByPagesOfSomeMegabytes("\"" + "x".repeat(1 << 20) + "\"");
	}

	/** Each has a mebibyte of digits, and a few kilobytes in the table. */
	@Test
	void readsAStreamOfLargeNumbersByPagesOfSomeMegabytesAsTheyArePrinted() {
		readsByPagesOfSomeMegabytes("[" + "1e900,".repeat(1_162) + "1]");
		assertThat(this.world.count("select max(pg_column_size(payload)) from eventing.events")).isLessThan(50_000);
	}

	private void readsByPagesOfSomeMegabytes(String mebibyte) {
		for (int event = 0; event < 20; event++) {
			append(ExpectedVersion.any(), raw(mebibyte));
		}
		append(ExpectedVersion.any(), placed(21));
		CountingDataSource counting = new CountingDataSource(this.world.dataSource());
		EventStore counted = new EventStore(counting, SCHEMA, EventJson.mapper(), new AppendSignal(),
				StoreOptions.defaults(), Clock.systemUTC());
		assertThat(counted.readStream(ACME, "order-1").map(StoredEvent::version)).hasSize(21).isSorted();
		assertThat(counting.statements()).isEqualTo(3);
	}

	@Test
	void namesTheRowOfAStreamThatCannotBeRead() {
		append(ExpectedVersion.any(), placed(1));
		this.world.jdbc().update("update eventing.events set metadata = '{\"headers\": 1}'");
		assertThatExceptionOfType(UnreadableEventException.class)
			.isThrownBy(() -> this.store.readStream(ACME, "order-1").count())
			.withMessageContaining("at position 1 of the event store")
			.withMessageContaining("its metadata is not what the SDK writes");
	}

	@Nested
	class Signalling {

		@Test
		void tellsOncePerTransactionAndOnlyAfterItsCommit() throws Exception {
			AppendSignal signal = EventStoreIT.this.world.signal();
			EventStoreIT.this.world.transaction().executeWithoutResult((status) -> {
				EventStoreIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(1));
				EventStoreIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(2));
				assertThat(signal.count()).isZero();
			});
			assertThat(signal.count()).isEqualTo(1);
			assertThat(signal.await(0, Duration.ofSeconds(30))).isTrue();
			assertThat(signal.await(1, Duration.ofMillis(1))).isFalse();
		}

		@Test
		void tellsNothingOfARollback() {
			EventStoreIT.this.world.transaction().executeWithoutResult((status) -> {
				EventStoreIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(1));
				status.setRollbackOnly();
			});
			assertThat(EventStoreIT.this.world.signal().count()).isZero();
		}

		@Test
		void tellsNothingOfAConflict() {
			EventStoreIT.this.world.transaction()
				.executeWithoutResult((status) -> assertThatExceptionOfType(VersionConflictException.class).isThrownBy(
						() -> EventStoreIT.this.store.append(ACME, "order-1", ExpectedVersion.exact(7), placed(1))));
			assertThat(EventStoreIT.this.world.signal().count()).isZero();
		}

		@Test
		void tellsAnInnerTransactionApartFromTheOuter() {
			TransactionTemplate inner = new TransactionTemplate(
					Objects.requireNonNull(EventStoreIT.this.world.transaction().getTransactionManager()));
			inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			EventStoreIT.this.world.transaction().executeWithoutResult((status) -> {
				EventStoreIT.this.store.append(ACME, "order-1", ExpectedVersion.any(), placed(1));
				inner.executeWithoutResult(
						(other) -> EventStoreIT.this.store.append(ACME, "order-2", ExpectedVersion.any(), placed(1)));
				assertThat(EventStoreIT.this.world.signal().count()).isEqualTo(1);
			});
			assertThat(EventStoreIT.this.world.signal().count()).isEqualTo(2);
		}

	}

}
