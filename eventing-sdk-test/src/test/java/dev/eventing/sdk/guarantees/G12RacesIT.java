package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ledger.InlineRow;
import dev.eventing.sdk.projector.ProjectorRegistry;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An inline projection has every event, or its status shows that it has not: with appends
 * that are open while it turns, and with appends that do not run its handlers.
 */
class G12RacesIT extends InlineSetup {

	private static final Duration A_WHILE = Duration.ofSeconds(2);

	private final Inline accounts = new Inline();

	@Test
	void doesNotTurnBeforeAnAppendEndsThatHasSkippedIt() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
		await().until(() -> !row().isInline());
		in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> {
			append(store, "a", 1);
			this.inline.promote(Accounts.PROJECTOR, "anna", null);
			await().until(this::isWaitingForTheLock);
			await().during(A_WHILE).atMost(A_WHILE.plusSeconds(1)).until(() -> !row().isInline());
			return true;
		});
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void doesNotTakeAStatusFromBeforeAWait() throws SQLException {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		node.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		CompletableFuture<Void> append;
		try (Connection transition = open()) {
			execute(transition, "select pg_advisory_xact_lock(hashtextextended('eventing.projection_inline', 0))");
			append = CompletableFuture.runAsync(() -> append(node, "a", 1, 1));
			await().until(this::isWaitingForTheLock);
			execute(transition, """
					update eventing.projection_inline set mode = 'FOLLOWING',
					       to_position = (select coalesce(max(global_position), 0) from eventing.events)""");
			transition.commit();
		}
		append.join();
		assertThat(version("a")).isZero();
		assertThat(this.ledger.hasSkips()).isFalse();
		node.getBean(ProjectorRegistry.class).start(Accounts.PROJECTOR);
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void findsAnAppendThatHadDrawnItsPositionWhenItTurned() throws SQLException {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 3);
		CompletableFuture<Void> insert;
		try (Connection transition = open()) {
			execute(transition, "select pg_advisory_xact_lock(hashtextextended('eventing.projection_inline', 0))");
			insert = CompletableFuture.runAsync(() -> this.world.jdbc().execute(insertion("a", 4)));
			await().until(this::isWaitingForTheLock);
			execute(transition, "update eventing.projection_inline set turn = turn + 1");
			transition.commit();
		}
		insert.join();
		awaitStatus(InlineStatus.INLINE);
		await().until(() -> version("a") == 4);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void findsAnAppendThatHadDrawnItsPositionWhenItCeasedToBeInline() throws SQLException {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 3);
		node.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		CompletableFuture<Void> insert;
		try (Connection transition = open()) {
			execute(transition, "select pg_advisory_xact_lock(hashtextextended('eventing.projection_inline', 0))");
			insert = CompletableFuture.runAsync(() -> this.world.jdbc().execute(insertion("a", 4)));
			await().until(this::isWaitingForTheLock);
			execute(transition, """
					update eventing.projection_inline set mode = 'FOLLOWING',
					       to_position = (select last_value from eventing.events_global_position_seq)""");
			transition.commit();
		}
		insert.join();
		assertThat(this.world.count("select count(*) from eventing.projection_skips")).isOne();
		node.getBean(ProjectorRegistry.class).start(Accounts.PROJECTOR);
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void isDivergedUntilItHasWhatWasInsertedByHand() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 3);
		this.accounts.wait = new CountDownLatch(1);
		this.world.jdbc().execute(insertion("a", 4));
		assertThat(inlineStatus()).isEqualTo(InlineStatus.DIVERGED);
		this.world.jdbc()
			.update("update eventing.streams set version = 4 where stream_id = ?", this.world.storedStream("a"));
		append(node, "a", 5, 6);
		append(node, "b", 1, 2);
		assertThat(version("a")).as("no event overtakes one of its stream").isEqualTo(3);
		await().until(() -> World.status(node, Accounts.PROJECTOR).detail().startsWith("diverged:"));
		this.accounts.wait.countDown();
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
		append(node, "a", 7, 7);
		assertThat(version("a")).isEqualTo(7);
	}

	@Test
	void noticesAnInsertByHandInATransactionThatHasAppended() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> {
			append(store, "a", 1);
			node.getBean(JdbcTemplate.class).execute(insertion("b", 1));
			return true;
		});
		await().until(() -> version("b") == 1);
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void noticesWhatIsCopied() throws SQLException, IOException {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 3);
		String copy = """
				copy eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload,
				                      metadata) from stdin""";
		try (Connection connection = open()) {
			connection.unwrap(PGConnection.class)
				.getCopyAPI()
				.copyIn(copy, new StringReader(line("a", 4) + line("b", 1)));
			connection.commit();
		}
		await().until(() -> version("a") == 4 && version("b") == 1);
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	private String line(String account, long version) {
		return String.join("\t", UUID.randomUUID().toString(), "acme", this.world.storedStream(account),
				Long.toString(version), "Deposited", "2026-01-01T00:00:00Z",
				"{\"account\": \"%s\", \"version\": %d, \"amount\": %2$d}".formatted(account, version),
				"{\"source\": \"/copy\"}") + "\n";
	}

	@Test
	void findsTheAppendsOfNodesThatDoNotKnowIt() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		for (int round = 0; round < 10; round++) {
			long before = 3L * round;
			append(node, "a", before + 1, before + 2);
			this.world.append(World.ACME, "a", before + 3, before + 3);
		}
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void isExactAfterAppendsOfAllKindsWhileItTurnsAndLeavesAndOwnersChange() throws InterruptedException {
		long seed = System.nanoTime();
		System.out.println("inline races: seed=" + seed);
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		AnnotationConfigApplicationContext other = standby(new Inline());
		AtomicBoolean ended = new AtomicBoolean();
		AtomicLong longest = new AtomicLong();
		ExecutorService threads = Executors.newFixedThreadPool(6);
		List<CompletableFuture<Void>> writers = new ArrayList<>();
		for (int writer = 0; writer < 6; writer++) {
			Random random = new Random(seed + writer);
			AnnotationConfigApplicationContext own = (writer % 2 == 0) ? node : other;
			boolean unknown = writer == 5;
			writers.add(CompletableFuture.runAsync(() -> {
				while (!ended.get()) {
					appendAtRandom(unknown ? null : own, random, longest);
					// else a projector that follows is never level
					pause(Duration.ofMillis(unknown ? 100 : 5));
				}
			}, threads));
		}
		List<String> problems = new CopyOnWriteArrayList<>();
		Thread reader = new Thread(() -> compare(ended, problems));
		reader.start();
		Random random = new Random(seed + 17);
		for (int round = 0; round < 12; round++) {
			change(random);
		}
		ended.set(true);
		CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();
		threads.shutdown();
		reader.join();
		assertThat(problems).as("the events that it has applied, at each moment").isEmpty();
		this.inline.promote(Accounts.PROJECTOR, "anna", null);
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
		System.out.println("inline races: longest append " + longest.get() + " ms, events "
				+ this.world.count("select count(*) from eventing.events"));
	}

	/** One statement sees the read model and the events at one moment. */
	private void compare(AtomicBoolean ended, List<String> problems) {
		while (!ended.get()) {
			this.world.jdbc().query("""
					select (select count(*) from eventing.applied_events('accounts')),
					       (select coalesce(sum(version), 0) from account)""", (row) -> {
				if (row.getLong(1) != row.getLong(2)) {
					problems.add(row.getLong(1) + " events, and " + row.getLong(2) + " in the read model, " + row());
				}
			});
			pause(Duration.ofMillis(5));
		}
	}

	/** Waits until the change shows, so that appends meet each state. */
	private void change(Random random) {
		switch (random.nextInt(3)) {
			case 0 -> {
				if (random.nextBoolean()) {
					this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
				}
				else {
					this.ledger.demote(true); // and leaves the rest to the owner
				}
				await().until(() -> !row().isInline());
			}
			case 1 -> {
				this.inline.promote(Accounts.PROJECTOR, "anna", null);
				long turn = row().turn();
				await().until(() -> row().isInline() || row().turn() > turn);
			}
			default -> this.world.takeLease("projector/" + Accounts.PROJECTOR);
		}
	}

	private InlineRow row() {
		return this.ledger.find().orElseThrow();
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		connection.createStatement().execute(sql);
	}

}
