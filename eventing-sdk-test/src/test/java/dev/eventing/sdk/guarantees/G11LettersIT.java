package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.UnknownDeadLetterException;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G11: each dead letter stays with the generation in which its event failed, whatever
 * operators do to it, and no event is lost or applied twice for it.
 */
class G11LettersIT extends LettersSetup {

	private final BesideSetup.Stored accounts = new BesideSetup.Stored();

	/** A discard in the one must not count as a claim of the other. */
	@Test
	void losesNoEventWhoseLetterIsDiscardedInTheStandbyOnly() {
		this.accounts.refused.add("a1");
		append("a1", 1, 2);
		append("a2", 1, 2);
		try (AnnotationConfigApplicationContext application = start(this.accounts)) {
			awaitOpen(LIVE, 2);
			this.generations.build();
			awaitOpen("accounts#2", 2);
			this.generations.switchTo(2);
			assertThat(discard("accounts#1", "a1", 1)).isEqualTo(1);
			this.generations.switchTo(1);
			this.generations.switchTo(2);
			assertThat(open(LIVE)).isEqualTo(2);
			this.accounts.refused.clear();
			redrive(LIVE);
			awaitVersion("public", "a1", 2);
			awaitVersion("public", "a2", 2);
			assertThatNothingIsViolated("public");
			this.generations.retire(1);
			this.generations.assertThatNothingIsLeft();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(4);
		}
	}

	/** Both leave an event out that is discarded before the generation meets it. */
	@Test
	void keepsWhatOperatorsDecidedBeforeAndAfterABuild() {
		this.accounts.refused.addAll(List.of("edited", "discarded", "open"));
		append("edited", 1, 1);
		append("discarded", 1, 2);
		append("open", 1, 3);
		append("a", 1, 3);
		try (AnnotationConfigApplicationContext application = start(this.accounts)) {
			awaitOpen(LIVE, 6);
			edit("edited", 1);
			this.accounts.refused.remove("edited");
			// Not the others: their redrive could still run when they are not refused any
			// more.
			redrive(DeadLetterFilter.of(letter(LIVE, "edited", 1).letterId()).withProjector(LIVE));
			awaitOpen(LIVE, 5);
			assertThat(discard(LIVE, "discarded", 2)).isEqualTo(1);
			this.accounts.refused.remove("discarded");
			this.generations.build();
			this.generations.switchTo(2);
			assertThat(total("public", "edited")).isEqualTo(100);
			assertThat(version("public", "discarded")).isEqualTo(1);
			assertThat(open(LIVE)).as("of the new live one").isEqualTo(3);
			assertThat(open("accounts#1")).as("of the former one").isEqualTo(4);
			this.generations.switchTo(1);
			assertThat(open(LIVE)).isEqualTo(4);
			this.accounts.refused.clear();
			redrive(LIVE);
			awaitOpen(LIVE, 0);
			awaitVersion("public", "open", 3);
			awaitVersion("public", "discarded", 1);
			this.generations.switchTo(2);
			assertThat(open(LIVE)).isEqualTo(3);
			redrive(LIVE);
			awaitVersion("public", "open", 3);
			assertThatNothingIsViolated("public");
			assertThat(discarded(LIVE)).isEqualTo(1);
			this.generations.retire(1);
			this.generations.assertThatNothingIsLeft();
			assertThat(open(LIVE)).isZero();
		}
	}

	/** It belongs to a read model without readers, and waits for a roll back. */
	@Test
	void letsTheLettersOfAStandbyWaitInIt() {
		this.accounts.refused.add("a1");
		append("a1", 1, 3);
		try (AnnotationConfigApplicationContext application = start(this.accounts)) {
			awaitOpen(LIVE, 3);
			this.accounts.refused.clear();
			this.generations.build();
			this.generations.switchTo(2);
			UUID standbys = letter("accounts#1", "a1", 1).letterId();
			assertThatExceptionOfType(UnknownDeadLetterException.class)
				.isThrownBy(() -> this.world.operators().edit(standbys, null, "anna", "a test"));
			assertThat(redrive("accounts#1")).isZero();
			assertThat(letter("accounts#1", "a1", 1).status()).isEqualTo(DeadLetterStatus.PARKED);
			append("a1", 4, 4);
			awaitVersion("public", "a1", 4);
			await().until(() -> open("accounts#1") == 4);
			assertThat(version("accounts_g1", "a1")).isZero();
			this.generations.switchTo(1);
			assertThat(redrive(LIVE)).isEqualTo(4);
			awaitVersion("public", "a1", 4);
			awaitVersion("accounts_g2", "a1", 4);
			awaitOpen(LIVE, 0);
			assertThatNothingIsViolated("public");
			assertThatNothingIsViolated("accounts_g2");
			this.generations.retire(2);
			this.generations.assertThatNothingIsLeft();
		}
	}

	/** Neither is switched before the event has been applied in both. */
	@Test
	void waitsForARetryThatIsUnderWayInTheGenerationBeside() {
		append("a1", 1, 2);
		try (AnnotationConfigApplicationContext application = start(this.accounts)) {
			awaitVersion("public", "a1", 2);
			this.generations.build();
			CountDownLatch waits = new CountDownLatch(1);
			this.accounts.waitsBeside.put("a1", waits);
			append("a1", 3, 3);
			awaitVersion("public", "a1", 3);
			this.generations.requestSwitch(2);
			this.accounts.unavailable.add("a1");
			waits.countDown();
			await().until(() -> this.world
				.count("select count(*) from eventing.projector_attempts where projector_name = 'accounts#2'") > 0);
			assertThat(this.generations.live()).isEqualTo(1);
			this.accounts.unavailable.clear();
			this.generations.awaitEnd();
			if (this.generations.status() != Status.DONE) {
				this.generations.switchTo(2);
			}
			append("a1", 4, 4);
			awaitVersion("public", "a1", 4);
			awaitVersion("accounts_g1", "a1", 4);
			assertThatNothingIsViolated("public");
			assertThatNothingIsViolated("accounts_g1");
			this.generations.retire(1);
			this.generations.assertThatNothingIsLeft();
			assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
		}
	}

	/** It is requested while the live one is held, so it is the former one's. */
	@Test
	void keepsARedriveThatIsRequestedWhileTheLiveOneIsHeld() {
		this.accounts.refused.add("a1");
		append("a1", 1, 3);
		append("a2", 1, 1);
		try (AnnotationConfigApplicationContext application = start(this.accounts)) {
			awaitOpen(LIVE, 3);
			this.accounts.refused.clear();
			this.generations.build();
			this.world.whileHolding("lock table violations in access share mode", () -> {
				this.generations.requestSwitch(2);
				this.generations.awaitHeld();
				redrive(LIVE);
				assertThat(letter(LIVE, "a1", 1).status()).isEqualTo(DeadLetterStatus.REDRIVING);
			});
			this.generations.awaitEnd();
			assertThat(this.generations.status()).as(this.generations.detail()).isEqualTo(Status.DONE);
			assertThat(version("public", "a1")).isEqualTo(3);
			assertThat(open("accounts#1")).isEqualTo(3);
			this.generations.switchTo(1);
			awaitVersion("public", "a1", 3);
			awaitOpen(LIVE, 0);
			this.generations.switchTo(2);
			assertThat(version("public", "a1")).isEqualTo(3);
			assertThatNothingIsViolated("public");
			assertThatNothingIsViolated("accounts_g1");
			this.generations.retire(1);
			this.generations.assertThatNothingIsLeft();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(4);
		}
	}

	/** The operator's decision applies to the live one, which has not applied it. */
	@Test
	void discardsInTheLiveOneWhatTheGenerationHasApplied() {
		this.accounts.refused.add("a1");
		append("a1", 1, 1);
		try (AnnotationConfigApplicationContext application = start(this.accounts)) {
			awaitOpen(LIVE, 1);
			this.accounts.refused.clear();
			this.generations.build();
			awaitVersion("accounts_g2", "a1", 1);
			assertThat(discard(LIVE, "a1", 1)).isEqualTo(1);
			this.generations.switchTo(2);
			append("a1", 2, 2);
			awaitVersion("public", "a1", 2);
			assertThatNothingIsViolated("public");
			this.generations.switchTo(1);
			this.generations.switchTo(2);
			assertThat(version("public", "a1")).isEqualTo(2);
			this.generations.retire(1);
			this.generations.assertThatNothingIsLeft();
		}
	}

	/** One statement for all of them could take longer than it may. */
	@Test
	void deletesTheLettersOfARetiredGenerationALittleAtATime() {
		append("a", 1, 3);
		try (AnnotationConfigApplicationContext application = start(this.accounts)) {
			awaitVersion("public", "a", 3);
			this.generations.build();
			this.world.jdbc().execute("""
					insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, subject, headers,
					       payload, stream, stream_sequence, published_at, reason, attempts, first_failed_at)
					select gen_random_uuid(), 'accounts#2', 'acme', gen_random_uuid(), 's', '{}',
					       '', 'event-store', n, now(), 'r', 1, now() from generate_series(1, 12000) n;
					insert into eventing.processed_events (projector_name, event_id, tenant_id)
					select 'accounts#2', gen_random_uuid(), 'acme' from generate_series(1, 125000);
					create function slow() returns trigger language plpgsql as
					'begin perform pg_sleep(1); return null; end';
					create trigger slow after delete on eventing.dead_letters execute function slow();
					create trigger slow after delete on eventing.processed_events execute function slow()""");
			this.generations.retire(2);
			this.generations.requestBuild();
			await().until(() -> this.generations.beside().isPresent());
			assertThat(rowsOf("dead_letters")).isBetween(1L, 11_000L);
			assertThat(rowsOf("processed_events")).isBetween(1L, 115_000L);
			this.world.jdbc()
				.execute("drop trigger slow on eventing.dead_letters; drop trigger slow on eventing.processed_events");
			await().until(() -> rowsOf("dead_letters") == 0 && rowsOf("processed_events") == 0);
			this.generations.retire(3);
			this.generations.assertThatNothingIsLeft();
		}
	}

	/** The rows of a generation that is gone. */
	private long rowsOf(String table) {
		return this.world.count("select count(*) from eventing." + table + " where projector_name = 'accounts#2'");
	}

	private void append(String account, long from, long to) {
		this.world.append(World.ACME, account, from, to);
	}

	private long discarded(String projector) {
		return this.world.count("select count(*) from eventing.dead_letters where projector_name = '" + projector
				+ "' and status = 'DISCARDED'");
	}

	private DeadLetter letter(String projector, String account, long version) {
		UUID id = Objects.requireNonNull(this.world.jdbc()
			.queryForObject(
					"""
							select letter_id
							  from eventing.dead_letters cross join lateral cast(convert_from(payload, 'UTF8') as jsonb) as event
							 where projector_name = ? and event->>'account' = ? and event->>'version' = ?""",
					UUID.class, projector, account, Long.toString(version)));
		return this.world.deadLetters(projector)
			.stream()
			.filter((each) -> each.letterId().equals(id))
			.findFirst()
			.orElseThrow();
	}

	private long discard(String projector, String account, long version) {
		return this.world.operators()
			.discard(DeadLetterFilter.of(letter(projector, account, version).letterId()).withProjector(projector),
					"anna", "a test");
	}

	private void edit(String account, long version) {
		byte[] payload = "{\"account\":\"%s\",\"version\":%d,\"amount\":100}".formatted(account, version)
			.getBytes(StandardCharsets.UTF_8);
		this.world.operators().edit(letter(LIVE, account, version).letterId(), payload, "anna", "a test");
	}

}
