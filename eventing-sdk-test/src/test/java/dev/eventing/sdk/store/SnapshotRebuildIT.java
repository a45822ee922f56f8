package dev.eventing.sdk.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.store.SnapshotRebuild.Failure;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static dev.eventing.sdk.store.StoreWorld.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Snapshots of other versions of a fold are replaced before anyone loads the streams. */
class SnapshotRebuildIT {

	private static final Fold<Sum> FIRST = Fold.of(Sum.class, new Sum(0), (sum, event) -> new Sum(sum.value() + 1))
		.named("sum")
		.withSnapshotEvery(3);

	/** Counts twice what the first version counted once. */
	private static final Fold<Sum> SECOND = next((event) -> {
	});

	private static final String WAITING = """
			select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'""";

	private static final SnapshotRebuildOptions ALL = SnapshotRebuildOptions.all();

	@AutoClose
	private final StoreWorld world = StoreWorld.shared();

	private final EventStore store = this.world.store();

	private final SnapshotRebuilder rebuilder = new SnapshotRebuilder(this.store, this.world.dataSource(),
			StoreWorld.SCHEMA);

	@Test
	void replacesThoseOfOtherVersionsAndNothingElse() {
		old(ACME, "a");
		old(ACME, "b");
		old(GLOBEX, "a");
		append(ACME, "none", 9);
		List<SnapshotRebuild> told = new ArrayList<>();
		SnapshotRebuild done = this.rebuilder.rebuild(SECOND, ALL.telling(told::add));
		assertThat(done).isEqualTo(new SnapshotRebuild(3, 3, 0, 0, 12, List.of(), false));
		assertThat(told).endsWith(done);
		assertThat(this.store.snapshots().find(ACME, "a", SECOND)).contains(new Snapshot<>(new Sum(8), 4));
		assertThat(this.store.load(GLOBEX, "a", SECOND).snapshotVersion()).isEqualTo(4);
		assertThat(this.world.count("select count(*) from eventing.snapshots")).isEqualTo(3);
		assertThat(this.rebuilder.rebuild(SECOND, ALL).due()).as("again").isZero();
	}

	@Test
	void manyAreReplacedPageByPageAndATenantAlone() {
		IntStream.range(0, 130).forEach((i) -> old(ACME, "many-" + i));
		old(GLOBEX, "other");
		SnapshotRebuild done = this.rebuilder.rebuild(SECOND, ALL.ofTenant(ACME));
		assertThat(done.due()).isEqualTo(130);
		assertThat(done.written()).isEqualTo(130);
		assertThat(this.rebuilder.rebuild(SECOND, ALL.dryRun(true)).due()).isEqualTo(1);
	}

	@Test
	void streamsWithoutOneGetItIfTheyAreLongEnoughAndOfTheFold() {
		append(ACME, "sum-long", 3);
		append(ACME, "sum-short", 2);
		append(ACME, "other-long", 3);
		assertThat(this.rebuilder.rebuild(SECOND, ALL).due()).isZero();
		assertThat(this.rebuilder.rebuild(SECOND, ALL.withStreams("sum-").ofTenant(GLOBEX)).due()).isZero();
		SnapshotRebuild done = this.rebuilder.rebuild(SECOND, ALL.withStreams("sum-"));
		assertThat(done.due()).isEqualTo(1);
		assertThat(this.store.snapshots().find(ACME, "sum-long", SECOND)).contains(new Snapshot<>(new Sum(6), 3));
	}

	/** A node that runs the new fold takes one while the stream is folded. */
	@Test
	void aLaterOneOfTheSameVersionStays() {
		old(ACME, "a");
		Fold<Sum> overtaken = next((event) -> {
			if (this.store.version(ACME, "a") == 4) {
				append(ACME, "a", 1);
				this.store.snapshots().save(ACME, "a", SECOND, 5, new Sum(10));
			}
		});
		SnapshotRebuild done = this.rebuilder.rebuild(overtaken, ALL);
		assertThat(done.written()).isZero();
		assertThat(done.spared()).isEqualTo(1);
		assertThat(this.store.snapshots().find(ACME, "a", SECOND)).contains(new Snapshot<>(new Sum(10), 5));
	}

	@Test
	void whatIsNotCommittedIsInNone() {
		old(ACME, "a");
		try (OpenAppend open = OpenAppend.in(this.world)) {
			open.execute("update eventing.streams set version = 5 where stream_id = 'a'");
			open.execute("""
					insert into eventing.events
					  (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
					values (gen_random_uuid(), 'acme', 'a', 5, 'Noted', now(), '{}', '{"source": "test"}')""");
			assertThat(this.rebuilder.rebuild(SECOND, ALL).written()).as("beside an open append").isEqualTo(1);
			assertThat(this.store.snapshots().find(ACME, "a", SECOND)).map(Snapshot::version).contains(4L);
			open.rollBack();
		}
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.world.inTransaction(() -> this.rebuilder.rebuild(SECOND, ALL)));
	}

	/** It has deleted the snapshot, and its mark is not visible yet. */
	@Test
	void noneIsStoredOfAStreamWhoseErasureIsUnderWay() {
		old(ACME, "a");
		StoreErasure erasure = new StoreErasure(StoreWorld.SCHEMA);
		ErasedStream stream = new ErasedStream(ACME.value(), "a", erasure.eventIds(), erasure.positions(), "");
		JdbcClient jdbc = JdbcClient.create(this.world.dataSource());
		JdbcTemplate watcher = new JdbcTemplate(TestServers.postgres().dataSource(this.world.url()));
		CompletableFuture<SnapshotRebuild> rebuild = this.world.inTransaction(() -> {
			assertThat(erasure.lock(stream, jdbc)).isTrue();
			assertThat(erasure.erase(stream, jdbc)).isNotEmpty();
			CompletableFuture<SnapshotRebuild> beside = CompletableFuture
				.supplyAsync(() -> this.rebuilder.rebuild(SECOND, ALL));
			await().until(() -> watcher.queryForList(WAITING, Integer.class).size() == 1);
			return beside;
		});
		SnapshotRebuild done = rebuild.orTimeout(30, TimeUnit.SECONDS).join();
		assertThat(done.written()).isZero();
		assertThat(done.spared()).isEqualTo(1);
		assertThat(this.world.count("select count(*) from eventing.snapshots where state_type <> ''")).isZero();
		assertThat(this.store.load(ACME, "a", SECOND).state()).isEqualTo(new Sum(0));
	}

	@Test
	void aStreamThatCannotBeFoldedKeepsItsOwnAndIsNamed() {
		old(ACME, "a");
		old(ACME, "b");
		Fold<Sum> broken = next((event) -> {
			if ("a".equals(event.streamId())) {
				throw new IllegalStateException("secret");
			}
		});
		SnapshotRebuild done = this.rebuilder.rebuild(broken, ALL);
		assertThat(done.isComplete()).isFalse();
		assertThat(done.written()).isEqualTo(1);
		assertThat(done.failures())
			.containsExactly(new Failure(ACME, "a", "The fold threw java.lang.IllegalStateException."));
		assertThat(this.store.snapshots().find(ACME, "a", FIRST)).contains(new Snapshot<>(new Sum(4), 4));
	}

	@Test
	void anInterruptLeavesTheRestForTheNextTime() {
		old(ACME, "a");
		old(ACME, "b");
		Fold<Sum> interrupted = next((event) -> Thread.currentThread().interrupt());
		SnapshotRebuild done = this.rebuilder.rebuild(interrupted, ALL);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(done.stopped()).isTrue();
		assertThat(done.written()).isEqualTo(1);
		assertThat(this.rebuilder.rebuild(SECOND, ALL).written()).isEqualTo(1);
	}

	@Test
	void aRateIsKept() {
		old(ACME, "a");
		old(ACME, "b");
		long begunAt = System.nanoTime();
		assertThat(this.rebuilder.rebuild(SECOND, ALL.atRate(20)).events()).isEqualTo(8);
		assertThat(Duration.ofNanos(System.nanoTime() - begunAt)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
	}

	private static Fold<Sum> next(Consumer<Event<?>> before) {
		return Fold.of(Sum.class, new Sum(0), (sum, event) -> {
			before.accept(event);
			return new Sum(sum.value() + 2);
		}).named("sum").withSnapshotEvery(3).withVersion(2);
	}

	/** A stream of four events with a snapshot of the first version. */
	private void old(TenantId tenant, String streamId) {
		append(tenant, streamId, 4);
		this.store.snapshots().save(tenant, streamId, FIRST, 4, new Sum(4));
	}

	private void append(TenantId tenant, String streamId, int times) {
		this.world.append(tenant, streamId, ExpectedVersion.any(),
				IntStream.range(0, times).mapToObj((i) -> NewEvent.of(new Noted())).toArray(NewEvent[]::new));
	}

	record Sum(long value) {
	}

	record Noted() {
	}

}
