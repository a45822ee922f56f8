package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
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
 * G10: wherever in a rebuild the process dies, the read model ends as if nothing had
 * happened, while events are appended in transactions that commit late.
 */
@Tag("crash")
class G10KilledRebuildIT {

	private static final int KILLS = 20;

	private static final int WRITERS = 8;

	private static final int ACCOUNTS = 5;

	private static final int BEFORE = 150;

	/** Milliseconds between two appends of a writer: the last fill reads them all. */
	private static final long REST = 200;

	/** The longest time between the start of a process and its end. */
	private static final int LONGEST = 2000;

	private static final Duration PATIENCE = Patience.PROCESS;

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Accounts.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	private final AtomicBoolean enough = new AtomicBoolean();

	private final CountDownLatch never = new CountDownLatch(1);

	@Test
	void endsAsIfNothingHadHappenedHoweverOftenItsProcessIsKilled() throws Exception {
		System.out.println("crash.seed=" + this.seed);
		for (int writer = 0; writer < WRITERS; writer++) {
			for (int version = 0; version < BEFORE; version++) {
				append(writer, version, 0);
			}
		}
		this.projector.start(this.world);
		await().atMost(PATIENCE).until(() -> isAtHead());
		ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
		int whileFilling = 0;
		try {
			List<Future<Integer>> written = new ArrayList<>();
			for (int writer = 0; writer < WRITERS; writer++) {
				int number = writer;
				written.add(writers.submit(() -> write(number)));
			}
			for (int kill = 0; kill < KILLS; kill++) {
				whileFilling += killOnce(kill % 2 == 0) ? 1 : 0;
			}
			this.enough.set(true);
			for (Future<Integer> each : written) {
				each.get();
			}
		}
		finally {
			this.enough.set(true);
			writers.shutdown();
		}
		this.projector.start(this.world);
		await().atMost(PATIENCE).until(() -> !isUnderWay() && isAtHead());
		System.out.printf("%d kills, %d while the read model was being filled, generations %s, %d events%n", KILLS,
				whileFilling, this.operators.generations("rebuilt").size(),
				this.world.count("select count(*) from eventing.events"));
		assertThatTheReadModelIsThatOfAllEvents();
		assertThat(whileFilling).as("kills while the read model was being filled").isGreaterThanOrEqualTo(KILLS / 4);
	}

	/**
	 * Kills the process at a random moment.
	 * @param begun whether to wait first until the rebuild has begun
	 * @return whether the read model was being filled
	 */
	private boolean killOnce(boolean begun) {
		if (!isUnderWay()) {
			this.operators.rebuildInPlace("rebuilt", "test", "a kill follows", PATIENCE);
		}
		if (!this.projector.isAlive()) {
			this.projector.start(this.world);
			this.projector.awaitReady();
		}
		if (begun) {
			await().atMost(PATIENCE).until(() -> isFilling() || !isUnderWay());
		}
		assertThat(this.projector.awaitEnd(Duration.ofMillis(this.random.nextInt(LONGEST)))).isFalse();
		this.projector.kill();
		return isFilling();
	}

	private boolean isFilling() {
		return this.operators.generations("rebuilt")
			.stream()
			.anyMatch((each) -> each.status() == ProjectionGeneration.Status.FILLING);
	}

	private boolean isUnderWay() {
		return this.operators.lastRequest("rebuilt")
			.filter((request) -> request.state().status() == ProjectionRequest.Status.PENDING)
			.isPresent()
				|| this.operators.generations("rebuilt")
					.stream()
					.anyMatch((each) -> each.status() == ProjectionGeneration.Status.FILLING);
	}

	private boolean isAtHead() {
		return this.world.checkpoint("rebuilt") == this.world.count("select max(global_position) from eventing.events");
	}

	private int write(int writer) throws InterruptedException {
		int version = BEFORE;
		while (!this.enough.get()) {
			append(writer, version++, 0.02 * (writer + 1));
			assertThat(this.never.await(REST, TimeUnit.MILLISECONDS)).isFalse();
		}
		return version;
	}

	/** An event for each account of the writer, in one transaction that may last. */
	private void append(int writer, int version, double pause) {
		this.world.inTransaction((store) -> {
			for (int account = 0; account < ACCOUNTS; account++) {
				String name = "w" + writer + "-" + account;
				store.append(World.ACME, this.world.storedStream(name), ExpectedVersion.exact(version),
						NewEvent.of(new Deposited(name, version + 1, version + 1)));
			}
			if (pause > 0) {
				this.world.jdbc().queryForObject("select pg_sleep(?)::text", String.class, pause);
			}
			return version;
		});
	}

	private void assertThatTheReadModelIsThatOfAllEvents() {
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		assertThat(this.world.jdbc().queryForList("""
				with expected as (
				  select payload->>'account' as account, max((payload->>'version')::bigint) as version,
				         sum((payload->>'amount')::bigint) as total
				    from eventing.events group by 1)
				select * from expected e full join account a on a.account = e.account
				 where a.version is distinct from e.version or a.total is distinct from e.total""")).isEmpty();
		assertThat(this.world.count("select count(*) from account")).isEqualTo((long) WRITERS * ACCOUNTS);
		assertThat(this.world.count("select count(*) from eventing.dead_letters")).isZero();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
		assertThat(this.world.count("select count(*) from eventing.projection_lanes")).isZero();
		assertThat(this.world.count("select count(*) from eventing.processed_events"))
			.isEqualTo(this.world.count("select count(*) from eventing.events"));
	}

	/** The read model. */
	@Projector(value = "rebuilt", tables = "account")
	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				batchSize = 20)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
