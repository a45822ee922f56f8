package dev.eventing.sdk.store;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Positions are drawn before commit, so lower ones become visible after higher ones. Any
 * way transactions interleave, the log gives each committed event once and in order.
 */
class LateCommitIT {

	private static final long SEED = 20_261_121;

	private static final int ROUNDS = 1_000;

	private static final int WRITERS = 8;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final List<LateWriter> writers = new ArrayList<>();

	private final List<Connection> unrelated = new ArrayList<>();

	private final List<StoredEvent> handedOut = new CopyOnWriteArrayList<>();

	private final AtomicBoolean stopped = new AtomicBoolean();

	private volatile long position;

	@AutoClose
	private final StoreWorld world = StoreWorld.create();

	@BeforeEach
	void createStore() throws Exception {
		// Deadlocks are part of the mixture, waiting a second for each is not.
		this.world.jdbc()
			.execute("do $$ begin execute format('alter database %I set deadlock_timeout = 20', "
					+ "current_database()); end $$");
		this.world.jdbc().execute("create table unrelated (id bigint generated always as identity)");
		this.unrelated.add(openWriteIn(this.world.url(), "insert into unrelated default values"));
		this.unrelated.add(openWriteIn(this.fixture.emptyDatabase(), "create table other_database ()"));
		for (int i = 0; i < WRITERS; i++) {
			this.writers.add(new LateWriter(this.world));
		}
	}

	private static Connection openWriteIn(String url, String sql) throws Exception {
		Connection connection = TestServers.postgres().dataSource(url).getConnection();
		connection.setAutoCommit(false);
		connection.createStatement().execute(sql);
		return connection;
	}

	@AfterEach
	void closeStore() throws Exception {
		this.stopped.set(true);
		this.writers.forEach(LateWriter::close);
		for (Connection connection : this.unrelated) {
			connection.close();
		}
	}

	@Test
	void everyCommittedEventIsReadOnceAndInOrderHoweverLateItsTransactionEnds() {
		Thread reader = new Thread(this::read, "reader");
		NaiveReader naive = new NaiveReader(this.world);
		reader.start();
		naive.start();
		letThemWrite(new Random(SEED));
		List<Long> committed = committed();
		await().until(() -> this.position >= committed.get(committed.size() - 1));
		this.stopped.set(true);
		long lost = naive.lostOf(committed);
		System.out.printf(
				"LateCommitIT: %d transactions (%s), %d events committed of %d positions drawn; "
						+ "reading without the fence lost %d (%.1f %%)%n",
				ROUNDS, LateWriter.summary(this.writers), committed.size(), this.world.log().drawn(), lost,
				100.0 * lost / committed.size());

		assertThat(this.handedOut).extracting(StoredEvent::position).isEqualTo(committed);
		assertThat(streamsOutOfOrder()).isEmpty();
		// Else the transactions were not adversarial, and the test could not fail.
		assertThat(lost).isPositive();
		assertThat(this.world.count("select count(*) from pg_stat_activity where state = 'idle in transaction'"))
			.as("unrelated transactions that were open all the time")
			.isEqualTo(2);
	}

	private void letThemWrite(Random random) {
		int ended = 0;
		while (ended < ROUNDS) {
			LateWriter writer = this.writers.get(random.nextInt(WRITERS));
			if (!writer.isBusy()) {
				writer.step(random.nextLong());
			}
			ended = this.writers.stream().mapToInt(LateWriter::ended).sum();
		}
		LateWriter.finish(this.writers);
	}

	/** Continues with a new reader now and then, as after a restart. */
	private void read() {
		Random random = new Random(SEED);
		LogReader reader = this.world.log().reader(0);
		while (!this.stopped.get()) {
			this.handedOut.addAll(reader.next(1 + random.nextInt(40)));
			this.position = reader.position();
			if (random.nextInt(200) == 0) {
				reader = this.world.log().reader(reader.position());
			}
		}
	}

	private List<Long> committed() {
		return this.world.jdbc()
			.queryForList("select global_position from eventing.events order by global_position", Long.class);
	}

	private List<String> streamsOutOfOrder() {
		Map<String, Long> versions = new HashMap<>();
		List<String> wrong = new ArrayList<>();
		for (StoredEvent event : this.handedOut) {
			String stream = Objects.requireNonNull(event.event().streamId());
			long before = versions.getOrDefault(stream, 0L);
			if (event.version() != before + 1) {
				wrong.add(stream + ": " + event.version() + " after " + before);
			}
			versions.put(stream, event.version());
		}
		return wrong;
	}

	/** What nearly everyone writes first: all positions above the last one seen. */
	private final class NaiveReader extends Thread {

		private final List<Long> seen = new CopyOnWriteArrayList<>();

		private final StoreWorld world;

		NaiveReader(StoreWorld world) {
			super("naive-reader");
			this.world = world;
		}

		@Override
		public void run() {
			long last = 0;
			while (!LateCommitIT.this.stopped.get()) {
				List<Long> page = this.world.jdbc()
					.queryForList("select global_position from eventing.events where global_position > ? "
							+ "order by global_position limit 100", Long.class, last);
				this.seen.addAll(page);
				last = page.isEmpty() ? last : page.get(page.size() - 1);
			}
		}

		long lostOf(List<Long> committed) {
			List<Long> lost = new ArrayList<>(committed);
			lost.removeAll(this.seen);
			return lost.size();
		}

	}

}
