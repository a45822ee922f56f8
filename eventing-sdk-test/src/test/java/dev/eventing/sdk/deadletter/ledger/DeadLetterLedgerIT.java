package dev.eventing.sdk.deadletter.ledger;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.EventIdentity;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.LetterCause;
import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.TestServers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class DeadLetterLedgerIT {

	private static final EventingSchema SCHEMA = new EventingSchema("letters");

	private static final Instant PUBLISHED = Instant.parse("2026-02-03T04:05:06.123456Z");

	private static final Instant FAILED = PUBLISHED.plusSeconds(7);

	private static final Failure LATER = new Failure("later", null, null);

	private static final byte[] PAYLOAD = { 0, (byte) 0xFF, '{', 0 };

	private static final EventHeaders HEADERS = EventHeaders.builder()
		.add("ce-type", "order.placed")
		.add("X-Trace", "one \"quoted\" \u00e9")
		.add("X-Trace", "two")
		.build();

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final DataSource dataSource = TestServers.postgres().dataSource(this.fixture.emptyDatabase());

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final DeadLetterLedger ledger = new DeadLetterLedger(this.jdbc, SCHEMA, JsonMapper.shared());

	private final DeadLetters operators = new JdbcDeadLetters(this.dataSource, SCHEMA, JsonMapper.shared());

	@BeforeEach
	void createTables() {
		new SchemaInitializer(this.dataSource, SCHEMA, SchemaMode.MIGRATE).initialize();
	}

	@Test
	void keepsAllThatIsKnownOfTheEvent() {
		Failure failure = Failure.of(new IllegalStateException("no stock"));
		NewDeadLetter letter = letter(TenantId.of("acme"), new UUID(0, 1), failure);
		assertThat(this.ledger.record(letter)).isNotNull();

		DeadLetter kept = onlyLetter();
		assertThat(kept.projector()).isEqualTo("orders");
		assertThat(kept.tenantId()).isEqualTo(TenantId.of("acme"));
		assertThat(kept.eventId()).isEqualTo(new UUID(0, 1));
		assertThat(kept.eventType()).isEqualTo("order.placed");
		assertThat(kept.orderingKey()).isEqualTo("order-17");
		assertThat(kept.event().subject()).isEqualTo("acme.orders.placed");
		assertThat(kept.event().headers()).isEqualTo(HEADERS);
		assertThat(kept.event().payload()).isEqualTo(PAYLOAD);
		assertThat(kept.place().stream()).isEqualTo("ORDERS");
		assertThat(kept.place().sequence()).isEqualTo(4_000_000_000L);
		assertThat(kept.place().storedAt()).isEqualTo(PUBLISHED);
		assertThat(kept.reason()).isEqualTo("ATTEMPTS_EXHAUSTED");
		assertThat(kept.failure()).isEqualTo(failure);
		assertThat(kept.attempts()).isEqualTo(3);
		assertThat(kept.cause().firstFailedAt()).isEqualTo(FAILED);
		assertThat(kept.status()).isEqualTo(DeadLetterStatus.PARKED);
		assertThat(kept.handling().forwardedAt()).isNull();
		Instant now = Objects.requireNonNull(this.jdbc.queryForObject("select now()", OffsetDateTime.class))
			.toInstant();
		assertThat(kept.deadAt()).isBetween(now.minus(Duration.ofMinutes(1)), now);
		assertThat(this.operators.get(kept.letterId())).usingRecursiveComparison().isEqualTo(Optional.of(kept));
	}

	@Test
	void saysOfNoLetterThatItFailedAfterItWasDeadWhateverTheClockOfTheNodeSays() {
		Instant ahead = Instant.now().plus(Duration.ofHours(1));
		this.ledger.record(new NewDeadLetter(ProjectorId.of("orders"),
				new EventIdentity(TenantId.of("acme"), new UUID(0, 1), "order.placed", "order-17"),
				new RawEvent("acme.orders.placed", HEADERS, PAYLOAD), new EventPlace("ORDERS", 1, PUBLISHED),
				new LetterCause("NOT_RETRYABLE", null, 0, ahead), null, null));
		assertThat(onlyLetter().cause().firstFailedAt()).isEqualTo(onlyLetter().deadAt());
	}

	@Test
	void keepsHeadersAsNamesWithTheirValuesInOrder() {
		this.ledger.record(letter(TenantId.of("acme"), new UUID(0, 1), null));
		assertThat(
				this.jdbc.queryForObject("select headers -> 'X-Trace' ->> 1 from letters.dead_letters", String.class))
			.isEqualTo("two");
	}

	@Test
	void keepsAnEventOfWhichNothingIsKnown() {
		RawEvent event = new RawEvent("s", EventHeaders.empty(), new byte[0]);
		this.ledger.record(new NewDeadLetter(ProjectorId.of("orders"),
				new EventIdentity(null, new UUID(0, 1), null, null), event, new EventPlace("ORDERS", 1, PUBLISHED),
				new LetterCause("UNREADABLE:NO_ID", null, 0, FAILED), null, null));
		DeadLetter kept = onlyLetter();
		assertThat(kept.tenantId()).isNull();
		assertThat(kept.eventType()).isNull();
		assertThat(kept.orderingKey()).isNull();
		assertThat(kept.failure()).isNull();
		assertThat(kept.event().payload()).isEmpty();
		assertThat(kept.event().headers()).isEqualTo(EventHeaders.empty());
	}

	@Test
	void keepsTheFirstLetterOfAnEventAsItIs() {
		assertThat(this.ledger.record(letter(TenantId.of("acme"), new UUID(0, 1), null))).isNotNull();
		assertThat(this.ledger.record(letter(TenantId.of("acme"), new UUID(0, 1), LATER))).isNull();
		assertThat(onlyLetter().failure()).isNull();

		assertThat(this.ledger.record(letter(TenantId.of("globex"), new UUID(0, 1), null))).isNotNull();
		assertThat(this.ledger.record(letter(null, new UUID(0, 1), null))).isNotNull();
		assertThat(this.ledger.record(letter(null, new UUID(0, 1), null))).isNull();
	}

	@ParameterizedTest
	@EnumSource(names = { "RESOLVED", "DISCARDED" })
	void opensAClosedLetterOfAnEventThatIsNotAppliedAgain(DeadLetterStatus closed) {
		this.ledger.record(letter(TenantId.of("acme"), new UUID(0, 1), null));
		UUID letterId = onlyLetter().letterId();
		this.ledger.record(letter(TenantId.of("globex"), new UUID(0, 2), null));
		this.jdbc.update("""
				update letters.dead_letters
				   set status = ?, closed_at = now(), forwarded_at = now(), redrives = 4, redrive_runs = 1,
				       attempts = 17, edited_payload = 'x', dead_at = '-infinity'
				 where letter_id = ?""", closed.name(), letterId);

		assertThat(this.ledger.record(letter(TenantId.of("acme"), new UUID(0, 1), LATER))).isNotNull();

		DeadLetter opened = this.operators.get(letterId).orElseThrow();
		assertThat(opened.status()).isEqualTo(DeadLetterStatus.PARKED);
		assertThat(opened.failure()).isEqualTo(LATER);
		assertThat(opened.attempts()).isEqualTo(3);
		assertThat(opened.handling().forwardedAt()).isNull();
		assertThat(opened.deadAt()).isAfter(PUBLISHED);
		assertThat(opened.handling().redrives()).isZero();
		assertThat(opened.handling().edited()).isNotNull();
		assertThat(this.jdbc.queryForObject("""
				select letter_number = (select max(letter_number) from letters.dead_letters) and closed_at is null
				       and redrive_runs = 0
				  from letters.dead_letters where letter_id = ?""", Boolean.class, letterId)).isTrue();
		assertThat(audit()).containsExactly("projector:orders REOPENED ATTEMPTS_EXHAUSTED");
	}

	/** Without a tenant its id is that of its place: it is the same message again. */
	@ParameterizedTest
	@EnumSource(names = { "RESOLVED", "DISCARDED" })
	void keepsALetterClosedWhoseEventIsAppliedOrThatHasNoTenant(DeadLetterStatus closed) {
		this.ledger.record(letter(TenantId.of("acme"), new UUID(0, 1), null));
		this.ledger.record(letter(null, new UUID(0, 2), null));
		this.jdbc.update("update letters.dead_letters set status = ?, closed_at = now()", closed.name());
		this.jdbc.update("insert into letters.processed_events values ('orders', ?, 'acme')", new UUID(0, 1));

		assertThat(this.ledger.record(letter(TenantId.of("acme"), new UUID(0, 1), LATER))).isNull();
		assertThat(this.ledger.record(letter(null, new UUID(0, 2), LATER))).isNull();

		assertThat(letters()).hasSize(2).allSatisfy((letter) -> {
			assertThat(letter.status()).isEqualTo(closed);
			assertThat(letter.failure()).isNull();
		});
		assertThat(audit()).isEmpty();
	}

	@Test
	void takesWhatBecameOfACopyForNothingOfALetterThatWasOpenedAgainSince() {
		UnforwardedLetters unforwarded = new UnforwardedLetters(this.jdbc, SCHEMA, JsonMapper.shared());
		this.ledger.record(letter(TenantId.of("acme"), new UUID(0, 1), null));
		DeadLetter published = onlyLetter();
		this.jdbc.update("update letters.dead_letters set status = 'RESOLVED', closed_at = now()");
		this.ledger.record(letter(TenantId.of("acme"), new UUID(0, 1), LATER));

		unforwarded.forwarded(List.of(published));
		unforwarded.refused(published, "too large");

		assertThat(unforwarded.behind(0, 10)).hasSize(1);
		unforwarded.forwarded(List.of(onlyLetter()));
		assertThat(unforwarded.behind(0, 10)).isEmpty();
	}

	@Test
	void letsOneOfTwoThatRecordTheSameEventAtOnceWin() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2);
		CyclicBarrier start = new CyclicBarrier(2);
		try {
			for (int round = 0; round < 50; round++) {
				NewDeadLetter letter = letter(TenantId.of("acme"), new UUID(0, round), null);
				Callable<Boolean> node = () -> {
					start.await();
					return this.ledger.record(letter) != null;
				};
				Future<Boolean> one = threads.submit(node);
				Future<Boolean> other = threads.submit(node);
				assertThat(List.of(one.get(), other.get())).containsExactlyInAnyOrder(true, false);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void forgetsALetterWhoseTransactionRollsBack() {
		new TransactionTemplate(new JdbcTransactionManager(this.dataSource)).executeWithoutResult((status) -> {
			assertThat(this.ledger.record(letter(null, new UUID(0, 1), null))).isNotNull();
			status.setRollbackOnly();
		});
		assertThat(this.operators.count(of("orders"))).isZero();
	}

	@Test
	void takesTextThatPostgresqlCannotHold() {
		EventHeaders headers = EventHeaders.builder().add("n\u0000", "v\u0000\uD800").build();
		RawEvent event = new RawEvent("s\u0000", headers, PAYLOAD);
		Failure failure = Failure.of(new IllegalStateException("m\u0000" + "x".repeat(100_000)));
		this.ledger.record(new NewDeadLetter(ProjectorId.of("orders"),
				new EventIdentity(null, new UUID(0, 1), "t\u0000", "k\u0000"), event,
				new EventPlace("ORDERS", 1, PUBLISHED), new LetterCause("UNREADABLE:\u0000", failure, 1, FAILED), null,
				null));
		DeadLetter kept = onlyLetter();
		assertThat(kept.eventType()).isEqualTo("t\uFFFD");
		assertThat(kept.event().headers().first("n\uFFFD")).startsWith("v\uFFFD");
		assertThat(kept.failure()).isEqualTo(failure);
	}

	@Test
	void listsTheNewestLettersOfOneProjectorFirst() {
		List<UUID> recorded = new ArrayList<>();
		for (int i = 1; i <= 3; i++) {
			UUID eventId = new UUID(0, i);
			recorded.add(0, eventId);
			this.ledger.record(letter(null, eventId, null));
			this.jdbc.update("update letters.dead_letters set dead_at = now() + ? * interval '1 s' where event_id = ?",
					i, eventId);
		}
		this.jdbc.update("update letters.dead_letters set projector_name = 'invoices' where event_id = ?",
				recorded.get(1));
		assertThat(newest("orders", 10)).extracting(DeadLetterSummary::eventId)
			.containsExactly(recorded.get(0), recorded.get(2));
		assertThat(newest("orders", 1)).extracting(DeadLetterSummary::eventId).containsExactly(recorded.get(0));
		assertThat(newest("nobody", 10)).isEmpty();
		assertThat(this.operators.count(of("orders"))).isEqualTo(2);
		assertThat(this.operators.count(of("invoices"))).isEqualTo(1);
		assertThat(this.operators.count(of("nobody"))).isZero();
	}

	@Test
	void findsNoLetterUnderAnUnknownId() {
		this.ledger.record(letter(null, new UUID(0, 1), null));
		assertThat(this.operators.get(new UUID(9, 9))).isEmpty();
	}

	@Test
	void neverShowsThePayloadAsText() {
		RawEvent event = new RawEvent("s", HEADERS, "secret".getBytes(StandardCharsets.UTF_8));
		NewDeadLetter letter = new NewDeadLetter(ProjectorId.of("orders"),
				new EventIdentity(null, new UUID(0, 1), null, null), event, new EventPlace("ORDERS", 1, PUBLISHED),
				new LetterCause("NOT_RETRYABLE", null, 1, FAILED), null, null);
		this.ledger.record(letter);
		assertThat(letter + " " + onlyLetter()).doesNotContain("secret").doesNotContain("quoted");
	}

	private List<String> audit() {
		return this.jdbc.queryForList("select concat_ws(' ', actor, action, detail) from letters.dead_letter_audit",
				String.class);
	}

	private DeadLetter onlyLetter() {
		List<DeadLetter> letters = letters();
		assertThat(letters).hasSize(1);
		return letters.get(0);
	}

	private List<DeadLetter> letters() {
		List<DeadLetter> letters = new ArrayList<>();
		this.operators.forEach(of("orders"), letters::add);
		return letters;
	}

	private List<DeadLetterSummary> newest(String projector, int limit) {
		return this.operators.find(of(projector), null, limit).letters();
	}

	private static DeadLetterFilter of(String projector) {
		return DeadLetterFilter.ALL.withProjector(projector);
	}

	private static NewDeadLetter letter(@Nullable TenantId tenant, UUID eventId, @Nullable Failure failure) {
		return new NewDeadLetter(ProjectorId.of("orders"),
				new EventIdentity(tenant, eventId, "order.placed", "order-17"),
				new RawEvent("acme.orders.placed", HEADERS, PAYLOAD),
				new EventPlace("ORDERS", 4_000_000_000L, PUBLISHED),
				new LetterCause("ATTEMPTS_EXHAUSTED", failure, 3, FAILED), null, null);
	}

}
