package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.projection.FoldedRow;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.Fold;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G14: a check computes in Java what each row should be. */
class G14FoldIT {

	private static final int ACCOUNTS = 30;

	private static final String CHECK = "balances";

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createReadModel() {
		this.world.jdbc().execute("""
				create table balance (tenant text, stream text, events integer not null, total numeric(12, 2) not null,
				                      primary key (tenant, stream))""");
	}

	@Test
	void findsNothingWhileEventsFlow() {
		AtomicBoolean enough = new AtomicBoolean();
		try (AnnotationConfigApplicationContext application = start()) {
			CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
				for (long version = 1; !enough.get(); version++) {
					append(version);
				}
			});
			try {
				for (int run = 0; run < 10; run++) {
					long before = this.world.checkpoint(CHECK);
					await().until(() -> this.world.checkpoint(CHECK) > before);
					Answer answer = answer(run(application, CHECK));
					assertThat(answer.sample()).isEmpty();
					assertThat(answer.differences()).isZero();
				}
			}
			finally {
				enough.set(true);
				writer.join();
			}
		}
	}

	@Test
	void namesRowsThatDifferAreMissingOrThatNoEventExplains() {
		try (AnnotationConfigApplicationContext application = start()) {
			append(1);
			append(2);
			awaitApplied(2);
			assertThat(answer(run(application, CHECK)).differences()).isZero();
			this.world.jdbc().update("update balance set total = -1 where stream = ?", stream(1));
			this.world.jdbc().update("delete from balance where stream = ?", stream(2));
			this.world.jdbc().update("insert into balance values ('acme', 'nobody', 1, 1)");
			Answer answer = answer(run(application, CHECK));
			assertThat(answer.differences()).isEqualTo(3);
			assertThat(answer.sample()).hasSize(3)
				.anySatisfy((row) -> assertThat(row).contains(stream(1), "\"different\"", "[\"total\"]")
					.doesNotContain("-1"))
				.anySatisfy((row) -> assertThat(row).contains(stream(2), "\"missing\"", "[]"))
				.anySatisfy((row) -> assertThat(row).contains("nobody", "\"not expected\""));
			this.world.jdbc().update("update balance set total = -1");
			answer = answer(run(application, CHECK));
			assertThat(answer.differences()).isEqualTo(ACCOUNTS + 1);
			assertThat(answer.sample()).hasSize(10).doesNotHaveDuplicates();
		}
	}

	/** A state without a row, such as that of a stream that was closed. */
	@Test
	void findsRowsThatMustNotBeThere() {
		try (AnnotationConfigApplicationContext application = start()) {
			append(1);
			awaitApplied(1);
			Answer answer = answer(run(application, "none"));
			assertThat(answer.differences()).isEqualTo(ACCOUNTS);
			assertThat(answer.sample()).allSatisfy((row) -> assertThat(row).contains("\"not expected\""));
		}
	}

	@Test
	void hasNoAnswerIfTheFoldFailsOrAColumnIsNotThere() {
		try (AnnotationConfigApplicationContext application = start()) {
			append(1);
			awaitApplied(1);
			assertThat(run(application, "failing").error())
				.contains("cannot be folded: java.lang.IllegalStateException")
				.doesNotContain("no sum");
			assertThat(run(application, "wrong").error()).contains("nowhere");
		}
	}

	/** PostgreSQL prints the key of the row in small letters. */
	@Test
	void knowsAStreamWhoseIdIsAUuidInCapitals() {
		this.world.jdbc().execute("create table noted (id uuid primary key, events integer, total numeric(12, 2))");
		String id = UUID.randomUUID().toString().toUpperCase(Locale.ROOT);
		try (AnnotationConfigApplicationContext application = start()) {
			long position = this.world
				.inTransaction((store) -> store.append(World.ACME, id, ExpectedVersion.any(),
						NewEvent.of(new Deposited("a", 1, 5))))
				.lastPosition();
			await().until(() -> this.world.checkpoint(CHECK) >= position);
			this.world.jdbc().update("insert into noted values (?::uuid, 1, 5)", id);
			assertThat(answer(run(application, "noted")).sample()).isEmpty();
			this.world.jdbc().update("insert into noted values (gen_random_uuid(), 1, 5)");
			assertThat(answer(run(application, "noted")).differences()).isOne();
		}
	}

	private AnnotationConfigApplicationContext start() {
		return this.world.start(WorldApplication.of(new Balances(), new BalanceChecks()).lease(Duration.ofSeconds(2)));
	}

	private void append(long version) {
		for (int account = 0; account < ACCOUNTS; account++) {
			this.world.append(World.ACME, "a" + account, version, version);
		}
	}

	private void awaitApplied(long events) {
		await().until(() -> this.world.count("select count(*) from balance where events = " + events) == ACCOUNTS);
	}

	private String stream(int account) {
		return this.world.storedStream("a" + account);
	}

	private static ReconciliationResult run(AnnotationConfigApplicationContext application, String check) {
		return application.getBean(Reconciliations.class).run(check, "test");
	}

	private static Answer answer(ReconciliationResult result) {
		assertThat(result.error()).isNull();
		Answer answer = result.answer();
		assertThat(answer).isNotNull();
		return answer;
	}

	@Projector(value = CHECK, tables = "balance")
	static class Balances {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 2,
				batchSize = 20)
		public void on(Event<Deposited> event) {
			this.jdbc.update("""
					insert into balance as b values (?, ?, 1, ?)
					on conflict (tenant, stream) do update
					   set events = b.events + 1, total = b.total + excluded.total""", event.tenantId().value(),
					event.streamId(), event.payload().amount());
		}

	}

	/** A balance, as the events say. */
	record Balance(int events, long total) {

		Balance plus(Deposited deposited) {
			return new Balance(this.events + 1, this.total + deposited.amount());
		}

	}

	static class BalanceChecks {

		private static final Set<String> TYPES = Set.of("Deposited");

		private static final Fold<Balance> FOLD = Fold.of(Balance.class, new Balance(0, 0),
				PayloadTypes.of(Deposited.class), Balance::plus);

		@Reconciliation(name = CHECK, projector = CHECK, buckets = 4)
		FoldedRow<Balance> balances() {
			return FoldedRow
				.of("balance", "stream", TYPES, FOLD,
						(balance) -> Map.of("events", balance.events(), "total", balance.total()))
				.withTenant("tenant");
		}

		@Reconciliation(name = "noted", projector = CHECK)
		FoldedRow<Balance> noted() {
			return FoldedRow.of("noted", "id", TYPES, FOLD,
					(balance) -> Map.of("events", balance.events(), "total", balance.total()));
		}

		@Reconciliation(name = "none", projector = CHECK)
		FoldedRow<Balance> none() {
			return FoldedRow.of("balance", "stream", TYPES, FOLD, (balance) -> Map.of());
		}

		@Reconciliation(name = "failing", projector = CHECK)
		FoldedRow<Balance> failing() {
			return FoldedRow.of("balance", "stream", TYPES, FOLD, (balance) -> {
				throw new IllegalStateException("no sum");
			});
		}

		@Reconciliation(name = "wrong", projector = CHECK)
		FoldedRow<Balance> wrong() {
			return FoldedRow.of("balance", "stream", TYPES, FOLD, (balance) -> Map.of("nowhere", balance.total()));
		}

	}

}
