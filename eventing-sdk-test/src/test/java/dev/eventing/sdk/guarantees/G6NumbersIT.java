package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.schema.UnsafeTablesException;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * G6: dead letters of a key run in their order though the sequence of their numbers
 * begins again, as after an upgrade by logical replication, which does not copy
 * sequences.
 */
class G6NumbersIT extends RedriveSetup {

	private static final String SETVAL = "select setval('\"eventing\".\"dead_letters_letter_number_seq\"', ";

	@Test
	void runsLettersOfAKeyInOrderThoughTheirNumbersBeganAgain() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			park("bad", 1, 3);
			setval(1);
			park("bad", 4, 5);
			assertThatTheyRunInOrder(application);
		}
	}

	/** Where closed letters were deleted, no number is there twice. */
	@Test
	void runsLettersOfAKeyInOrderThoughTheNumbersThatBeganAgainWereFree() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			park("bad-other", 1, 9);
			this.world.jdbc().update("delete from eventing.dead_letters");
			park("bad", 1, 3);
			setval(1);
			park("bad", 4, 5);
			assertThatTheyRunInOrder(application);
		}
	}

	/** Pages of letters of all keys end and begin at a number. */
	@Test
	void givesNoFreeNumberBelowOthersToLettersOfOtherKeys() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			park("bad-other", 1, 9);
			this.world.jdbc().update("delete from eventing.dead_letters");
			park("bad", 1, 1);
			long last = this.world.count("select max(letter_number) from eventing.dead_letters");
			setval(1);
			park("bad-third", 1, 2);
			assertThat(this.world
				.count("select min(letter_number) from eventing.dead_letters where ordering_key like '%bad-third'"))
				.isGreaterThan(last);
			assertThat(application.isRunning()).isTrue();
		}
	}

	@Test
	void failsWhileTheSequenceIsBehindAndNamesTheStatementThatMendsIt() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			setval(5000);
			park("bad", 1, 3);
			setval(1);
			await().untilAsserted(() -> {
				ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
				assertThat(status.state()).isEqualTo(ProjectorState.FAILED);
				assertThat(status.detail()).contains("goes up to 5003").contains(SETVAL + "5003)");
			});
			this.world.publish(World.ACME, "bad", 4, 5);
			setval(5003);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 5);
			assertThatTheyRunInOrder(application);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		}
	}

	@Test
	void refusesToStartBehindItsLetters() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			park("bad", 1, 3);
			assertThat(application.isRunning()).isTrue();
		}
		setval(1);
		assertThatThrownBy(() -> start(ONE_ATTEMPT).close()).rootCause()
			.isInstanceOf(UnsafeTablesException.class)
			.hasMessageContaining(SETVAL + "3)");
		setval(3);
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			park("bad", 4, 5);
			assertThatTheyRunInOrder(application);
		}
	}

	private void park(String account, long from, long to) {
		long before = letters(DeadLetterStatus.PARKED);
		this.world.publish(World.ACME, account, from, to);
		await().until(() -> letters(DeadLetterStatus.PARKED) == before + to - from + 1);
	}

	private void setval(long number) {
		this.world.jdbc()
			.queryForList("select setval(pg_get_serial_sequence('eventing.dead_letters', 'letter_number'), ?)", number);
	}

	private void assertThatTheyRunInOrder(AnnotationConfigApplicationContext application) {
		assertThat(this.world.jdbc()
			.queryForList("select letter_id from eventing.dead_letters order by letter_number", UUID.class))
			.isEqualTo(this.world.jdbc()
				.queryForList("select letter_id from eventing.dead_letters order by stream_sequence", UUID.class));
		this.broken.set(false);
		redrive(application, ALL);
		await().until(() -> letters(DeadLetterStatus.RESOLVED) == 5);
		assertThat(this.world.version(World.ACME, "bad")).isEqualTo(5);
		assertThat(this.world.count("select count(*) from violations")).isZero();
		assertConsistent();
	}

}
