package dev.eventing.sdk.deadletter;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.deadletter.ledger.ParkedLetters;
import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.fixture.Fixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Operators at once, and operators while events are being parked. */
class DeadLetterRacesIT {

	private static final String ACTOR = "anna";

	private final ExecutorService threads = Executors.newFixedThreadPool(4);

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final LetterBox box = new LetterBox(this.fixture);

	private final DeadLetters letters = new JdbcDeadLetters(this.box.dataSource, LetterBox.SCHEMA, JsonMapper.shared());

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	void givesEachLetterToOneOfTwoRedrives() throws Exception {
		for (int round = 0; round < 10; round++) {
			List<UUID> ids = keysOf(round, 20);
			Callable<Redrive> request = () -> this.letters.redrive(RedriveRequest.of(filterOf(ids), ACTOR));
			List<Redrive> redrives = atOnce(request, request);
			assertThat(redrives.stream().mapToLong(Redrive::letters).sum()).isEqualTo(ids.size());
			assertThat(auditsOf(ids)).isEqualTo(ids.size());
		}
	}

	@Test
	void takesLocksInOneOrderWhateverTheFilter() throws Exception {
		for (int round = 0; round < 20; round++) {
			List<UUID> ids = keysOf(round, 24);
			List<UUID> mixed = new ArrayList<>(ids);
			Collections.shuffle(mixed, new Random(round));
			List<UUID> some = mixed.subList(0, 12);
			List<UUID> others = mixed.subList(12, 24);
			atOnce(() -> this.letters.redrive(RedriveRequest.of(filterOf(some), ACTOR)).letters(),
					() -> this.letters.discard(filterOf(others), ACTOR, "not needed"),
					() -> this.letters.redrive(RedriveRequest.of(filterOf(others), ACTOR)).letters());
			// The named letters are discarded, and no event waits behind a closed letter.
			assertThat(this.letters.count(filterOf(others).withStatus(DeadLetterStatus.DISCARDED))).isEqualTo(12);
			assertThat(this.letters.count(filterOf(some).withStatus(DeadLetterStatus.REDRIVING))).isEqualTo(12);
		}
		assertThat(this.box.jdbc
			.queryForObject("select deadlocks from pg_stat_database where datname = current_database()", Long.class))
			.isZero();
	}

	@Test
	void releasesAFollowerThatIsBeingParkedWhileItsLetterIsDiscarded() throws Exception {
		UUID head = this.box.failed("orders", "acme", "o-1");
		try (OpenTransaction projector = new OpenTransaction()) {
			assertThat(holdLast(projector.jdbc)).isTrue();
			UUID follower = LetterBox.behind(projector.jdbc, "orders", "acme", "o-1");
			Future<Long> discard = this.threads
				.submit(() -> this.letters.discard(DeadLetterFilter.of(head), ACTOR, "not needed"));
			awaitWaiting(1);
			projector.commit();
			assertThat(discard.get(60, TimeUnit.SECONDS)).isEqualTo(1);
			assertThat(status(follower)).isEqualTo(DeadLetterStatus.REDRIVING);
		}
	}

	@Test
	void parksNothingBehindALetterThatIsBeingResolvedAndWaitsForNobody() throws Exception {
		UUID head = this.box.failed("orders", "acme", "o-1");
		try (OpenTransaction redrive = new OpenTransaction(); OpenTransaction projector = new OpenTransaction()) {
			redrive.lock(head);
			redrive.jdbc.update("update eventing.dead_letters set status = 'RESOLVED', closed_at = now()");
			ParkedLetters parked = new ParkedLetters(projector.jdbc, LetterBox.SCHEMA);
			Future<Boolean> parking = this.threads.submit(() -> holdLast(projector.jdbc));
			assertThat(parking.get(60, TimeUnit.SECONDS)).isFalse();
			assertThat(parked.lastOpen(ProjectorId.of("orders"), List.of("acme/o-1"))).containsValue(head);
			redrive.commit();
			assertThat(parked.hold(List.of(head))).isEmpty();
			assertThat(parked.lastOpen(ProjectorId.of("orders"), List.of("acme/o-1"))).isEmpty();
		}
	}

	@Test
	void parksBehindTheLastLetterWithoutWaitingForARedriveOfTheFirst() throws Exception {
		UUID head = this.box.failed("orders", "acme", "o-1");
		this.box.behind("orders", "acme", "o-1");
		try (OpenTransaction redrive = new OpenTransaction(); OpenTransaction projector = new OpenTransaction()) {
			redrive.lock(head);
			Future<Boolean> parking = this.threads.submit(() -> holdLast(projector.jdbc));
			assertThat(parking.get(60, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void parksWhileLettersAreRedrivenWithoutADeadlock() throws Exception {
		List<String> keys = IntStream.range(0, 10).mapToObj((key) -> "o-" + key).toList();
		keys.forEach((key) -> this.box.failed("orders", "acme", key));
		for (int letter = 1; letter < 30; letter++) {
			List<String> mixed = new ArrayList<>(keys);
			Collections.shuffle(mixed, new Random(letter));
			mixed.subList(0, 7).forEach((key) -> this.box.behind("orders", "acme", key));
		}
		this.letters.redrive(RedriveRequest.of(DeadLetterFilter.ALL, ACTOR));
		AtomicBoolean parked = new AtomicBoolean();
		atOnce(() -> redriveUntil(parked), () -> {
			try {
				for (int round = 0; round < 60; round++) {
					parkBehind(keys);
				}
				return 0;
			}
			finally {
				parked.set(true);
			}
		});
		assertThat(this.letters.count(DeadLetterFilter.ALL.withStatus(DeadLetterStatus.PARKED))).isZero();
	}

	private int redriveUntil(AtomicBoolean parked) throws Exception {
		int resolved = 0;
		while (true) {
			boolean last = parked.get();
			try (OpenTransaction projector = new OpenTransaction()) {
				RedriveLedger ledger = new RedriveLedger(projector.jdbc, LetterBox.SCHEMA);
				List<RedriveLetter> next = LetterBox.next(projector.jdbc, "orders", 9);
				if (next.isEmpty() && last) {
					return resolved;
				}
				ledger.begin(next.stream().map((letter) -> letter.letter().letterId()).toList());
				projector.commit();
				Set<UUID> locked = ledger.lock(ProjectorId.of("orders"), next);
				ledger.resolve(locked);
				projector.jdbc.queryForList("select pg_sleep(0.01)");
				ledger.resolved(ProjectorId.of("orders"), locked, Set.of());
				projector.commit();
				resolved += locked.size();
			}
		}
	}

	/** As a lane does, one event for each key that is not free. */
	private void parkBehind(List<String> keys) throws Exception {
		List<String> mixed = new ArrayList<>(keys.stream().map("acme/"::concat).toList());
		Collections.shuffle(mixed);
		try (OpenTransaction projector = new OpenTransaction()) {
			ParkedLetters parked = new ParkedLetters(projector.jdbc, LetterBox.SCHEMA);
			Map<String, UUID> last = parked.lastOpen(ProjectorId.of("orders"), mixed);
			Set<UUID> held = parked.hold(last.values());
			for (String key : mixed) {
				if (held.contains(last.get(key))) {
					LetterBox.behind(projector.jdbc, "orders", "acme", key.substring("acme/".length()));
				}
			}
			projector.commit();
		}
	}

	private static boolean holdLast(JdbcTemplate jdbc) {
		ParkedLetters letters = new ParkedLetters(jdbc, LetterBox.SCHEMA);
		return !letters.hold(letters.lastOpen(ProjectorId.of("orders"), List.of("acme/o-1")).values()).isEmpty();
	}

	@Test
	void discardsNothingThatARedriveResolvesMeanwhile() throws Exception {
		UUID letterId = this.box.failed("orders", "acme", "o-1");
		this.letters.redrive(RedriveRequest.of(DeadLetterFilter.of(letterId), ACTOR));
		try (OpenTransaction projector = new OpenTransaction()) {
			projector.lock(letterId);
			Future<Long> discard = this.threads
				.submit(() -> this.letters.discard(DeadLetterFilter.of(letterId), ACTOR, "not needed"));
			awaitWaiting(1);
			projector.jdbc.update("update eventing.dead_letters set status = 'RESOLVED', closed_at = now()");
			projector.commit();
			assertThat(discard.get(60, TimeUnit.SECONDS)).isZero();
			assertThat(status(letterId)).isEqualTo(DeadLetterStatus.RESOLVED);
			assertThat(auditsOf(List.of(letterId))).isEqualTo(1);
		}
	}

	@Test
	void redrivesOthersWhileAHandlerRuns() throws Exception {
		UUID running = this.box.failed("orders", "acme", "o-1");
		this.letters.redrive(RedriveRequest.of(DeadLetterFilter.of(running), ACTOR));
		UUID late = this.box.behind("orders", "acme", "o-1");
		try (OpenTransaction projector = new OpenTransaction()) {
			projector.lock(running);
			Future<Redrive> redrive = this.threads
				.submit(() -> this.letters.redrive(RedriveRequest.of(DeadLetterFilter.of(late), ACTOR)));
			assertThat(redrive.get(60, TimeUnit.SECONDS).letters()).isEqualTo(1);
		}
	}

	/** Letters of some keys, four each. */
	private List<UUID> keysOf(int round, int count) {
		List<UUID> ids = new ArrayList<>();
		int keys = count / 4;
		for (int i = 0; i < count; i++) {
			String key = round + "-" + i % keys;
			ids.add((i < keys) ? this.box.failed("orders", "acme", key) : this.box.behind("orders", "acme", key));
		}
		return ids;
	}

	@SafeVarargs
	private <T> List<T> atOnce(Callable<T>... calls) throws Exception {
		CyclicBarrier start = new CyclicBarrier(calls.length);
		List<Future<T>> results = new ArrayList<>();
		for (Callable<T> call : calls) {
			results.add(this.threads.submit(() -> {
				start.await();
				return call.call();
			}));
		}
		List<T> done = new ArrayList<>();
		for (Future<T> result : results) {
			done.add(result.get(60, TimeUnit.SECONDS));
		}
		return done;
	}

	private static DeadLetterFilter filterOf(List<UUID> ids) {
		return DeadLetterFilter.of(ids.toArray(UUID[]::new));
	}

	private long auditsOf(List<UUID> ids) {
		return ids.stream().mapToLong((id) -> this.letters.audit(id).size()).sum();
	}

	private DeadLetterStatus status(UUID letterId) {
		return this.letters.get(letterId).orElseThrow().status();
	}

	private void awaitWaiting(int connections) {
		Awaitility.await()
			.until(() -> this.box.jdbc.queryForObject(
					"select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
					Integer.class), (waiting) -> waiting == connections);
	}

	/** A projector's transaction that lasts. */
	private final class OpenTransaction implements AutoCloseable {

		private final SingleConnectionDataSource dataSource;

		private final Connection connection;

		private final JdbcTemplate jdbc;

		OpenTransaction() throws Exception {
			this.connection = box.dataSource.getConnection();
			this.connection.setAutoCommit(false);
			this.dataSource = new SingleConnectionDataSource(this.connection, true);
			this.jdbc = new JdbcTemplate(this.dataSource);
		}

		/** As for parking behind it, or for running its handler. */
		void lock(UUID letterId) {
			this.jdbc.queryForObject("select status from eventing.dead_letters where letter_id = ? for update",
					String.class, letterId);
		}

		void commit() throws Exception {
			this.connection.commit();
		}

		@Override
		public void close() throws Exception {
			this.connection.rollback();
			this.dataSource.destroy();
		}

	}

}
