package dev.eventing.sdk.deadletter.ledger;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.EventIdentity;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.LetterCause;
import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.schema.UnsafeTablesException;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Letters that are closed, forgotten as processed, and recorded once more. */
class LettersOpenedAgainIT {

	private static final EventingSchema SCHEMA = new EventingSchema("letters");

	private static final Instant PUBLISHED = Instant.parse("2026-02-03T04:05:06.123456Z");

	private static final TenantId ACME = TenantId.of("acme");

	private static final TenantId GLOBEX = TenantId.of("globex");

	private static final DeadLetterFilter ALL = DeadLetterFilter.ALL.withProjector("orders");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final DataSource dataSource = TestServers.postgres().dataSource(this.fixture.emptyDatabase());

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final DeadLetterLedger ledger = new DeadLetterLedger(this.jdbc, SCHEMA, JsonMapper.shared());

	private final RedriveLedger redrives = new RedriveLedger(this.jdbc, SCHEMA);

	private final DeadLetters operators = new JdbcDeadLetters(this.dataSource, SCHEMA, JsonMapper.shared());

	private final TransactionTemplate transaction = new TransactionTemplate(
			new JdbcTransactionManager(this.dataSource));

	@BeforeEach
	void createTables() {
		new SchemaInitializer(this.dataSource, SCHEMA, SchemaMode.MIGRATE).initialize();
	}

	/** Compared with what was recorded for the first time. */
	@Test
	void areInAllThatIsKnownAsNewOnes() {
		this.ledger.record(former(ACME));
		this.jdbc.update("""
				update letters.dead_letters
				   set status = 'RESOLVED', closed_at = now(), dead_at = '-infinity', redrives = 4, redrive_runs = 2,
				       redrive_id = gen_random_uuid(), edited_payload = 'x', forwarded_at = now(),
				       forward_refusal = 'too large'""");
		this.ledger.record(another(ACME));
		this.ledger.record(another(GLOBEX));
		List<String> letters = this.jdbc.queryForList("""
				select (to_jsonb(d) - array['letter_id', 'letter_number', 'tenant_id', 'dead_at', 'next_redrive_at']
				        || jsonb_build_object('next', next_redrive_at - dead_at))::text
				  from letters.dead_letters d""", String.class);
		assertThat(letters).hasSize(2);
		assertThat(letters.get(0)).contains("PARKED", "00:01:00").isEqualTo(letters.get(1));
	}

	@Test
	void getNoFreeNumberBelowOthersFromASequenceThatBeganAgain() {
		this.jdbc.queryForList("select setval('letters.dead_letters_letter_number_seq', 10)");
		this.ledger.record(former(ACME));
		this.ledger.record(former(GLOBEX));
		close();
		this.jdbc.queryForList("select setval('letters.dead_letters_letter_number_seq', 1)");
		assertThatExceptionOfType(UnsafeTablesException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.ledger.record(another(ACME))))
			.withMessageContaining("setval");
		assertThat(reopened()).isZero();
		this.jdbc.queryForList("select setval('letters.dead_letters_letter_number_seq', 12)");
		assertThat(this.ledger.record(another(ACME))).isNotNull();
		assertThat(this.jdbc.queryForList("select tenant_id from letters.dead_letters order by letter_number",
				String.class))
			.containsExactly("globex", "acme");
	}

	@Test
	void keepTheEditedPayloadOfTheSameBytesOnly() {
		for (TenantId tenant : List.of(ACME, GLOBEX)) {
			this.ledger.record(former(tenant));
		}
		this.jdbc
			.update("update letters.dead_letters set status = 'DISCARDED', closed_at = now(), edited_payload = 'x'");
		this.ledger.record(former(ACME));
		this.ledger.record(another(GLOBEX));
		assertThat(this.jdbc.queryForList("select tenant_id from letters.dead_letters where edited_payload is not null",
				String.class))
			.containsExactly("acme");
	}

	@Test
	void standInTheAuditOnceThoughTwoRecordThemAtOnce() throws Exception {
		this.ledger.record(former(ACME));
		close();
		CompletableFuture<Boolean> other = Objects.requireNonNull(this.transaction.execute((status) -> {
			assertThat(this.ledger.record(another(ACME))).isNotNull();
			CompletableFuture<Boolean> second = CompletableFuture
				.supplyAsync(() -> this.ledger.record(another(ACME)) != null);
			awaitWaiting();
			return second;
		}));
		assertThat(other.get(60, TimeUnit.SECONDS)).isFalse();
		assertThat(reopened()).isEqualTo(1);
	}

	@Test
	void areOpenedByTheSecondOfTwoIfTheFirstRollsBack() throws Exception {
		this.ledger.record(former(ACME));
		close();
		CompletableFuture<Boolean> other = Objects.requireNonNull(this.transaction.execute((status) -> {
			this.ledger.record(another(ACME));
			CompletableFuture<Boolean> second = CompletableFuture
				.supplyAsync(() -> this.ledger.record(another(ACME)) != null);
			awaitWaiting();
			status.setRollbackOnly();
			return second;
		}));
		assertThat(other.get(60, TimeUnit.SECONDS)).isTrue();
		assertThat(reopened()).isEqualTo(1);
	}

	/** Their payload, key and headers may be others. */
	@Test
	void runNotAsTheyWereReadBefore() {
		List<RedriveLetter> before = redriven();
		openAgain();
		assertThat(locked(before)).isEmpty();
		assertThat(locked(next())).hasSize(1);
	}

	@Test
	void areNotParkedForAFailureOfWhatTheyWere() {
		RedriveLetter before = redriven().get(0);
		openAgain();
		this.redrives.failedAgain(before, "REDRIVE_FAILED", new Failure("OldError", null, null), true, null);
		assertThat(this.operators.find(ALL, null, 2).letters()).extracting(DeadLetterSummary::status)
			.containsExactly(DeadLetterStatus.REDRIVING);
	}

	private Set<UUID> locked(List<RedriveLetter> letters) {
		return Objects.requireNonNull(
				this.transaction.execute((status) -> this.redrives.lock(ProjectorId.of("orders"), letters)));
	}

	private List<RedriveLetter> redriven() {
		this.ledger.record(former(ACME));
		this.operators.redrive(RedriveRequest.of(ALL, "ops"));
		return next();
	}

	private List<RedriveLetter> next() {
		RedriveQueue queue = new RedriveQueue(this.jdbc, SCHEMA);
		ProjectorId orders = ProjectorId.of("orders");
		List<RedriveTurn> turns = queue.redrives(orders)
			.stream()
			.map((redrive) -> new RedriveTurn(redrive, 0))
			.toList();
		return queue.next(orders, turns, Set.of(), 10, 10_000);
	}

	private void openAgain() {
		this.operators.discard(ALL, "ops", "to be sent again");
		this.jdbc.update("delete from letters.processed_events");
		assertThat(this.ledger.record(another(ACME))).isNotNull();
		this.operators.redrive(RedriveRequest.of(ALL, "ops"));
	}

	private void close() {
		this.jdbc.update("update letters.dead_letters set status = 'RESOLVED', closed_at = now()");
	}

	private void awaitWaiting() {
		await().until(() -> !this.jdbc.queryForList("""
				select 1 from pg_stat_activity
				 where datname = current_database() and wait_event_type = 'Lock'""").isEmpty());
	}

	private long reopened() {
		return this.jdbc.queryForList("select 1 from letters.dead_letter_audit where action = 'REOPENED'").size();
	}

	private static NewDeadLetter former(TenantId tenant) {
		return new NewDeadLetter(ProjectorId.of("orders"),
				new EventIdentity(tenant, new UUID(0, 1), "order.placed", "order-17"),
				new RawEvent("acme.orders.placed", EventHeaders.empty(), payload("old")),
				new EventPlace("ORDERS", 1, PUBLISHED),
				new LetterCause("ATTEMPTS_EXHAUSTED", new Failure("Old", "old", "old"), 3, PUBLISHED), null, null);
	}

	private static NewDeadLetter another(TenantId tenant) {
		return new NewDeadLetter(ProjectorId.of("orders"),
				new EventIdentity(tenant, new UUID(0, 1), "order.changed", "order-18"),
				new RawEvent("acme.orders.changed", EventHeaders.builder().add("a", "b").build(), payload("new")),
				new EventPlace("OTHERS", 2, PUBLISHED.plusSeconds(1)),
				new LetterCause("NOT_RETRYABLE", new Failure("New", "new", "new"), 4, PUBLISHED.plusSeconds(2)),
				"acme/order-18", Duration.ofMinutes(1));
	}

	private static byte[] payload(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
