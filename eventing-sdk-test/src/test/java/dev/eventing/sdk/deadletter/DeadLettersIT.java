package dev.eventing.sdk.deadletter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.LeaseHolder;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static dev.eventing.sdk.deadletter.DeadLetterStatus.DISCARDED;
import static dev.eventing.sdk.deadletter.DeadLetterStatus.PARKED;
import static dev.eventing.sdk.deadletter.DeadLetterStatus.REDRIVING;
import static dev.eventing.sdk.deadletter.DeadLetterStatus.RESOLVED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

class DeadLettersIT {

	private static final String ACTOR = "anna";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final LetterBox box = new LetterBox(this.fixture);

	private final DeadLetters letters = new JdbcDeadLetters(this.box.dataSource, LetterBox.SCHEMA, JsonMapper.shared());

	@Nested
	class Looking {

		@Test
		void listsTheNewestFirstPageByPage() {
			List<UUID> newestFirst = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				newestFirst.add(0, box.failed("orders", "acme", "o-" + i));
			}
			DeadLetterPage first = letters.find(DeadLetterFilter.ALL, null, 2);
			DeadLetterPage second = letters.find(DeadLetterFilter.ALL, first.next(), 2);
			box.failed("orders", "acme", "later");
			DeadLetterPage third = letters.find(DeadLetterFilter.ALL, second.next(), 2);
			assertThat(ids(first)).isEqualTo(newestFirst.subList(0, 2));
			assertThat(ids(second)).isEqualTo(newestFirst.subList(2, 4));
			assertThat(ids(third)).isEqualTo(newestFirst.subList(4, 5));
			assertThat(third.next()).isNull();
			assertThat(letters.find(DeadLetterFilter.ALL, null, 6).next()).isNull();
		}

		@Test
		void findsByEachFilterAndByAllOfThem() {
			UUID wanted = box.failed("orders", "acme", "o-1");
			UUID other = box.behind("invoices", "globex", "o-2");
			box.jdbc.update("update eventing.dead_letters set event_type = 'order.paid', status = 'RESOLVED', "
					+ "dead_at = now() - interval '1 h' where letter_id = ?", other);
			Instant before = Instant.now().minus(Duration.ofMinutes(30));
			List<DeadLetterFilter> filters = List.of(DeadLetterFilter.of(wanted),
					DeadLetterFilter.ALL.withProjector("orders"),
					DeadLetterFilter.ALL.withTenantId(TenantId.of("acme")),
					DeadLetterFilter.ALL.withEventType("order.placed"),
					DeadLetterFilter.ALL.withErrorClass("java.lang.IllegalStateException"),
					DeadLetterFilter.ALL.withOrderingKey("o-1"), DeadLetterFilter.ALL.withStatus(PARKED),
					DeadLetterFilter.ALL.withDead(before, null),
					new DeadLetterFilter(Set.of(wanted, other), "orders", TenantId.of("acme"), "order.placed",
							"java.lang.IllegalStateException", "o-1", PARKED,
							new DeadLetterFilter.TimeRange(before, Instant.now().plus(Duration.ofHours(1)))));
			for (DeadLetterFilter filter : filters) {
				assertThat(ids(letters.find(filter, null, 10))).as(filter.toString()).containsExactly(wanted);
				assertThat(letters.count(filter)).as(filter.toString()).isEqualTo(1);
			}
			assertThat(ids(letters.find(DeadLetterFilter.ALL.withDead(null, before), null, 10))).containsExactly(other);
			assertThat(letters.find(DeadLetterFilter.ALL.withProjector("nobody\u0000"), null, 10).letters()).isEmpty();
		}

		@Test
		void findsTheOldest() {
			UUID first = box.failed("orders", "acme", "o-1");
			UUID second = box.behind("orders", "acme", "o-1");
			box.behind("orders", "acme", "o-1");
			box.failed("orders", "globex", "o-1");
			DeadLetterFilter key = DeadLetterFilter.ALL.withProjector("orders").withOrderingKey("o-1");
			List<DeadLetterSummary> oldest = letters.scopedTo(TenantId.of("acme")).oldest(key, 2);
			assertThat(oldest).extracting(DeadLetterSummary::letterId).containsExactly(first, second);
			assertThat(oldest).extracting((letter) -> letter.cause().behind()).containsExactly(null, first);
			for (int limit : new int[] { 0, DeadLetters.MAX_PAGE + 1 }) {
				assertThatIllegalArgumentException().isThrownBy(() -> letters.oldest(key, limit))
					.withMessageContaining("'limit' must be 1 to 1000");
			}
		}

		@Test
		void findsAnErrorByItsClassWithoutThePackage() {
			UUID wanted = box.failed("orders", "acme", "o-1");
			UUID nested = box.failed("orders", "acme", "o-2");
			box.jdbc.update("update eventing.dead_letters set error_class = 'com.example.Stock$GoneException' "
					+ "where letter_id = ?", nested);
			UUID plain = box.failed("orders", "acme", "o-3");
			box.jdbc.update("update eventing.dead_letters set error_class = 'Unpackaged' where letter_id = ?", plain);
			assertThat(errors("IllegalStateException")).containsExactly(wanted);
			assertThat(errors("Stock$GoneException")).containsExactly(nested);
			assertThat(errors("Unpackaged")).containsExactly(plain);
			assertThat(errors("StateException")).isEmpty();
			assertThat(errors("lang.IllegalStateException")).isEmpty();
			assertThat(errors("%Exception")).isEmpty();
			assertThat(errors("")).isEmpty();
		}

		private List<UUID> errors(String errorClass) {
			return ids(letters.find(DeadLetterFilter.ALL.withErrorClass(errorClass), null, 10));
		}

		@Test
		void showsALetterWithAllThereIs() {
			UUID letterId = box.failed("orders", "acme", "o-1");
			DeadLetter letter = letters.get(letterId).orElseThrow();
			assertThat(letter.handling().parkingKey()).isEqualTo("acme/o-1");
			assertThat(letter.event().payload()).asString(StandardCharsets.UTF_8).isEqualTo("{\"total\":12}");
			assertThat(letter.handling().redriven()).isEqualTo(LetterHandling.Redriven.NEVER);
			assertThat(letter.handling().edited()).isNull();
			assertThat(letter.handling().closedAt()).isNull();
			assertThat(letters.get(UUID.randomUUID())).isEmpty();
			assertThat(letters.audit(letterId)).isEmpty();
		}

		@Test
		void countsByGroupAndOverTime() {
			box.failed("orders", "acme", "o-1");
			box.failed("orders", "acme", "o-2");
			UUID old = box.behind("invoices", "globex", "o-2");
			box.jdbc.update("update eventing.dead_letters set dead_at = now() - interval '2 h' where letter_id = ?",
					old);
			DeadLetterStats stats = letters.stats(DeadLetterFilter.ALL, Duration.ofHours(1), 24);
			assertThat(stats.groups())
				.extracting(DeadLetterStats.Group::projector, DeadLetterStats.Group::tenantId,
						DeadLetterStats.Group::reason, DeadLetterStats.Group::letters)
				.containsExactly(tuple("orders", TenantId.of("acme"), "ATTEMPTS_EXHAUSTED", 2L),
						tuple("invoices", TenantId.of("globex"), "BEHIND", 1L));
			assertThat(stats.groups().get(0).dead().oldest()).isBeforeOrEqualTo(stats.groups().get(0).dead().newest());
			assertThat(stats.overTime()).hasSize(24)
				.isSortedAccordingTo(Comparator.comparing(DeadLetterStats.Interval::from));
			assertThat(stats.overTime().stream().mapToLong(DeadLetterStats.Interval::letters).sum()).isEqualTo(3);
			assertThat(stats.overTime().get(23).letters() + stats.overTime().get(22).letters()).isEqualTo(2);
			assertThat(letters.stats(DeadLetterFilter.ALL.withProjector("nobody"), Duration.ofMinutes(1), 1).overTime())
				.singleElement()
				.extracting(DeadLetterStats.Interval::letters)
				.isEqualTo(0L);
		}

		@Test
		void saysWhoWouldRunARedrive() {
			assertThat(letters.redriver("orders")).isEmpty();
			try (Leases leases = new Leases(box.dataSource, LetterBox.SCHEMA, LeaseOptions.defaults())) {
				for (String name : List.of("projector/orders", "redrive/invoices")) {
					Lease lease = Objects.requireNonNull(leases.tryAcquire(name));
					String projector = name.substring(name.indexOf('/') + 1);
					assertThat(letters.redriver(projector)).map(LeaseHolder::owner).contains(lease.owner());
					lease.release();
					assertThat(letters.redriver(projector)).isEmpty();
				}
			}
		}

	}

	@Nested
	class Redriving {

		@Test
		void marksTheParkedLettersAndThoseOfTheirKeys() {
			UUID head = box.failed("orders", "acme", "o-1");
			UUID follower = box.behind("orders", "acme", "o-1");
			UUID otherKey = box.failed("orders", "acme", "o-2");
			UUID otherProjector = box.failed("invoices", "acme", "o-1");
			UUID resolved = box.failed("orders", "acme", "o-1");
			box.resolve(resolved);
			UUID unkeyed = box.failed("orders", "acme", null);

			DeadLetterFilter filter = DeadLetterFilter.of(follower, resolved, unkeyed);
			List<String> before = box.all();
			assertThat(letters.plan(filter)).isEqualTo(new Redrive(null, 2, 1, Map.of("orders", 3L)));
			assertThat(box.all()).isEqualTo(before);

			Redrive redrive = letters.redrive(new RedriveRequest(filter, ACTOR, 7));
			UUID redriveId = Objects.requireNonNull(redrive.redriveId());
			assertThat(redrive).isEqualTo(new Redrive(redriveId, 2, 1, Map.of("orders", 3L)));
			for (UUID marked : List.of(head, follower, unkeyed)) {
				DeadLetter letter = letters.get(marked).orElseThrow();
				assertThat(letter.status()).isEqualTo(REDRIVING);
				assertThat(letter.handling().redriven().redriveId()).isEqualTo(redriveId);
				assertThat(letters.audit(marked)).singleElement().satisfies((entry) -> {
					assertThat(entry.actor()).isEqualTo(ACTOR);
					assertThat(entry.action()).isEqualTo(DeadLetterAction.REDRIVE_REQUESTED);
					assertThat(entry.detail()).startsWith("redrive " + redriveId);
				});
			}
			assertThat(status(otherKey)).isEqualTo(PARKED);
			assertThat(status(otherProjector)).isEqualTo(PARKED);
			assertThat(status(resolved)).isEqualTo(RESOLVED);
			assertThat(box.jdbc.queryForMap("select * from eventing.dead_letter_redrives"))
				.containsEntry("redrive_id", redriveId)
				.containsEntry("actor", ACTOR)
				.containsEntry("letters", 3L)
				.containsEntry("rate_per_second", 7)
				.containsEntry("selection", "ids=3 given");
		}

		@Test
		void saysHowFarItIs() {
			List<UUID> ids = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				ids.add(box.failed("orders", "acme", "o-" + i));
			}
			UUID redriveId = Objects
				.requireNonNull(letters.redrive(RedriveRequest.of(DeadLetterFilter.ALL, ACTOR)).redriveId());
			assertThat(letters.progress(redriveId)).isEqualTo(new RedriveProgress(redriveId, 4, 0, 0, 0));
			box.resolve(ids.get(0));
			box.status(ids.get(1), PARKED);
			letters.discard(DeadLetterFilter.of(ids.get(2)), ACTOR, "not needed");
			assertThat(letters.progress(redriveId)).isEqualTo(new RedriveProgress(redriveId, 1, 1, 1, 1));
			assertThat(letters.waiting(redriveId)).containsExactly("orders");
			assertThat(letters.scopedTo(TenantId.of("globex")).waiting(redriveId)).isEmpty();
			box.resolve(ids.get(3));
			assertThat(letters.waiting(redriveId)).isEmpty();
			assertThat(letters.progress(UUID.randomUUID()).isOver()).isTrue();
		}

		@Test
		void writesNothingWhereNoLetterFits() {
			UUID redriving = box.failed("orders", "acme", "o-1");
			letters.redrive(RedriveRequest.of(DeadLetterFilter.of(redriving), ACTOR));
			List<String> before = box.all();
			assertThat(letters.redrive(RedriveRequest.of(DeadLetterFilter.ALL, ACTOR)))
				.isEqualTo(new Redrive(null, 0, 0, Map.of()));
			assertThat(box.all()).isEqualTo(before);
		}

		@Test
		void leavesLettersWithTheRedriveThatIsAboutToRunThem() {
			UUID head = box.failed("orders", "acme", "o-1");
			Redrive first = letters.redrive(RedriveRequest.of(DeadLetterFilter.of(head), ACTOR));
			UUID late = box.behind("orders", "acme", "o-1");
			Redrive second = letters.redrive(RedriveRequest.of(DeadLetterFilter.of(late), ACTOR));
			assertThat(second.letters()).isEqualTo(1);
			assertThat(redriveOf(head)).isEqualTo(first.redriveId());
			assertThat(redriveOf(late)).isEqualTo(second.redriveId());
		}

		@Test
		void staysWhenTheCallersTransactionRollsBack() {
			UUID letterId = box.failed("orders", "acme", "o-1");
			new TransactionTemplate(new JdbcTransactionManager(box.dataSource)).executeWithoutResult((transaction) -> {
				letters.redrive(RedriveRequest.of(DeadLetterFilter.of(letterId), ACTOR));
				transaction.setRollbackOnly();
			});
			assertThat(status(letterId)).isEqualTo(REDRIVING);
		}

	}

	@Nested
	class Discarding {

		@Test
		void closesTheLettersAndCountsTheirEventsAsProcessed() {
			UUID parked = box.failed("orders", "acme", "o-1");
			UUID redriving = box.failed("orders", "acme", "o-2");
			box.status(redriving, REDRIVING);
			UUID resolved = box.failed("orders", "acme", "o-3");
			box.resolve(resolved);
			UUID unreadable = box.failed("orders", null, null);

			List<String> before = box.all();
			assertThat(letters.planDiscard(DeadLetterFilter.ALL)).isEqualTo(3);
			assertThat(box.all()).isEqualTo(before);

			assertThat(letters.discard(DeadLetterFilter.ALL, ACTOR, "test orders")).isEqualTo(3);
			for (UUID discarded : List.of(parked, redriving, unreadable)) {
				DeadLetter letter = letters.get(discarded).orElseThrow();
				assertThat(letter.status()).isEqualTo(DISCARDED);
				assertThat(letter.handling().closedAt()).isNotNull();
				assertThat(letters.audit(discarded))
					.extracting(AuditEntry::actor, AuditEntry::action, AuditEntry::detail)
					.containsExactly(tuple(ACTOR, DeadLetterAction.DISCARDED, "test orders"));
			}
			assertThat(box.isProcessed(parked)).isTrue();
			assertThat(box.isProcessed(redriving)).isTrue();
			assertThat(box.isProcessed(unreadable)).isFalse();
			assertThat(status(resolved)).isEqualTo(RESOLVED);
			assertThat(letters.discard(DeadLetterFilter.ALL, ACTOR, "again")).isZero();
		}

		@Test
		void redrivesWhatWaitedForTheFirstOfAKey() {
			UUID head = box.failed("orders", "acme", "o-1");
			UUID second = box.behind("orders", "acme", "o-1");
			UUID third = box.behind("orders", "acme", "o-1");
			UUID fourth = box.behind("orders", "acme", "o-1");
			UUID otherKey = box.failed("orders", "acme", "o-2");

			letters.discard(DeadLetterFilter.of(head, third), ACTOR, "not needed");
			UUID redriveId = Objects.requireNonNull(redriveOf(second));
			assertThat(redriveOf(fourth)).isEqualTo(redriveId);
			assertThat(status(second)).isEqualTo(REDRIVING);
			assertThat(status(fourth)).isEqualTo(REDRIVING);
			assertThat(status(third)).isEqualTo(DISCARDED);
			assertThat(status(otherKey)).isEqualTo(PARKED);
			assertThat(letters.audit(second)).extracting(AuditEntry::action)
				.containsExactly(DeadLetterAction.REDRIVE_REQUESTED);
			assertThat(letters.progress(redriveId).waiting()).isEqualTo(2);
			assertThat(box.jdbc.queryForMap("select * from eventing.dead_letter_redrives"))
				.containsEntry("redrive_id", redriveId)
				.containsEntry("letters", 2L);
		}

		@Test
		void leavesTheOthersBehindAnOpenOne() {
			UUID head = box.failed("orders", "acme", "o-1");
			UUID second = box.behind("orders", "acme", "o-1");
			UUID third = box.behind("orders", "acme", "o-1");
			letters.discard(DeadLetterFilter.of(second), ACTOR, "not needed");
			assertThat(status(head)).isEqualTo(PARKED);
			assertThat(status(third)).isEqualTo(PARKED);
			assertThat(box.jdbc.queryForList("select * from eventing.dead_letter_redrives")).isEmpty();
		}

	}

	@Nested
	class Editing {

		@Test
		void keepsTheOriginalBesideTheNewPayload() {
			UUID letterId = box.failed("orders", "acme", "o-1");
			letters.edit(letterId, "{\"total\":13}".getBytes(StandardCharsets.UTF_8), ACTOR, "typing error");
			DeadLetter edited = letters.get(letterId).orElseThrow();
			assertThat(edited.event().payload()).asString(StandardCharsets.UTF_8).isEqualTo("{\"total\":12}");
			assertThat(Objects.requireNonNull(edited.handling().edited()).payload()).asString(StandardCharsets.UTF_8)
				.isEqualTo("{\"total\":13}");
			letters.edit(letterId, null, ACTOR, "was right");
			assertThat(letters.get(letterId).orElseThrow().handling().edited()).isNull();
			letters.edit(letterId, new byte[0], ACTOR, "empty");
			assertThat(Objects.requireNonNull(letters.get(letterId).orElseThrow().handling().edited()).payload())
				.isEmpty();
			assertThat(letters.audit(letterId)).extracting(AuditEntry::action, AuditEntry::detail)
				.containsExactly(tuple(DeadLetterAction.EDITED, "payload of 12 bytes: typing error"),
						tuple(DeadLetterAction.EDITED, "original payload again: was right"),
						tuple(DeadLetterAction.EDITED, "payload of 0 bytes: empty"));
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|', textBlock = """
				{"total":12,}      | line 1, column 13
				{"total":          | line 1, column 10
				{"total":12} {}    | line 1, column 14
				<total>12</total>  | line 1, column 1
				""")
		void refusesWhatIsNoJsonAndSaysWhere(String payload, String place) {
			UUID letterId = box.failed("orders", "acme", "o-1");
			List<String> before = box.all();
			assertThatExceptionOfType(InvalidPayloadException.class).isThrownBy(() -> edit(letterId, payload))
				.withMessageContaining(letterId.toString())
				.withMessageContaining(place);
			assertThat(box.all()).isEqualTo(before);
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|', textBlock = """
				application/json                      | total=12     | ATTEMPTS_EXHAUSTED  | true
				Application/Problem+JSON; charset=x   | total=12     | ATTEMPTS_EXHAUSTED  | true
				application/cloudevents+json          | total=12     | UNREADABLE:NOT_JSON | true
				text/plain                            | {"total":12} | ATTEMPTS_EXHAUSTED  | false
				application/x-protobuf                | {"total":12} | ATTEMPTS_EXHAUSTED  | false
				                                      | {"total":12} | ATTEMPTS_EXHAUSTED  | true
				                                      | total=12     | UNREADABLE:NOT_JSON | true
				                                      | total=12     | ATTEMPTS_EXHAUSTED  | false
				""")
		void demandsJsonWhereTheEventIsJson(@Nullable String contentType, String original, String reason,
				boolean refused) {
			UUID letterId = box.failed("orders", "acme", "o-1");
			box.jdbc.update("""
					update eventing.dead_letters set payload = ?, reason = ?,
					       headers = case when ?::text is null then headers
					                 else jsonb_build_object('content-type', array[?::text]) end
					""", original.getBytes(StandardCharsets.UTF_8), reason, contentType, contentType);
			if (refused) {
				assertThatExceptionOfType(InvalidPayloadException.class).isThrownBy(() -> edit(letterId, "total=13"));
			}
			else {
				edit(letterId, "total=13");
				assertThat(Objects.requireNonNull(letters.get(letterId).orElseThrow().handling().edited()).payload())
					.asString(StandardCharsets.UTF_8)
					.isEqualTo("total=13");
			}
		}

		private void edit(UUID letterId, String payload) {
			letters.edit(letterId, payload.getBytes(StandardCharsets.UTF_8), ACTOR, "typing error");
		}

		@Test
		void refusesLettersThatAreClosedOrUnknown() {
			UUID letterId = box.failed("orders", "acme", "o-1");
			letters.discard(DeadLetterFilter.of(letterId), ACTOR, "not needed");
			assertThatExceptionOfType(DeadLetterClosedException.class)
				.isThrownBy(() -> letters.edit(letterId, null, ACTOR, "why"))
				.withMessageContaining("DISCARDED");
			assertThatExceptionOfType(UnknownDeadLetterException.class)
				.isThrownBy(() -> letters.edit(UUID.randomUUID(), null, ACTOR, "why"));
		}

	}

	@Test
	void refusesArgumentsThatMakeNoSense() {
		DeadLetterFilter all = DeadLetterFilter.ALL;
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.find(all, null, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.find(all, null, DeadLetters.MAX_PAGE + 1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.stats(all, Duration.ZERO, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.stats(all, Duration.ofHours(1), 0));
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.discard(all, " ", "why"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.discard(all, ACTOR, " "));
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.edit(UUID.randomUUID(), null, ACTOR, ""));
		assertThatIllegalArgumentException().isThrownBy(() -> new RedriveRequest(all, " ", null));
		assertThatIllegalArgumentException().isThrownBy(() -> new RedriveRequest(all, ACTOR, 0));
	}

	private DeadLetterStatus status(UUID letterId) {
		return this.letters.get(letterId).orElseThrow().status();
	}

	private UUID redriveOf(UUID letterId) {
		return Objects.requireNonNull(this.letters.get(letterId).orElseThrow().handling().redriven().redriveId());
	}

	private static List<UUID> ids(DeadLetterPage page) {
		return page.letters().stream().map(DeadLetterSummary::letterId).toList();
	}

}
