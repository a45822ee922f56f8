package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.ConnectionCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G10: dead letters from before a rebuild in place, and of the rebuild itself. */
class G10LettersIT extends RebuildSetup {

	@Test
	void runsOpenLettersInOrderKeepsDiscardedOnesAndTakesEditedPayloads() {
		Stored accounts = new Stored();
		accounts.refused.addAll(Set.of("open", "discarded", "again"));
		accounts.refused.add("edited");
		appendAll(1, 3);
		for (String account : List.of("open", "discarded", "again", "edited")) {
			this.world.append(World.ACME, account, 1, 1);
		}
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			await().until(() -> openLetters() == 4);
			this.world.operators().discard(filter("discarded"), "anna", "a test order");
			DeadLetter edited = letter("edited");
			this.world.operators()
				.edit(edited.letterId(),
						"{\"account\":\"edited\",\"amount\":77,\"version\":1}".getBytes(StandardCharsets.UTF_8), "anna",
						"wrong amount");
			accounts.refused.removeAll(Set.of("open", "discarded", "edited"));
			rebuild();
			awaitRebuilt(2);
			assertThatTheReadModelIsExact(3);
			assertThat(this.world.version(World.ACME, "open")).isEqualTo(1);
			assertThat(this.world.version(World.ACME, "discarded")).isZero();
			assertThat(this.world.count("select total from account where account = 'edited'")).isEqualTo(77);
			assertThat(letter("open").handling().status()).isEqualTo(DeadLetterStatus.RESOLVED);
			assertThat(this.world.operators().audit(letter("open").letterId())).last()
				.satisfies((entry) -> assertThat(entry.action()).isEqualTo(DeadLetterAction.REBUILT));
			assertThat(letter("again").handling().status()).isEqualTo(DeadLetterStatus.PARKED);
			assertThat(openLetters()).isEqualTo(1);
			accounts.refused.clear();
			this.world.operators().redrive(RedriveRequest.of(filter("again"), "anna"));
			await().until(() -> this.world.version(World.ACME, "again") == 1);
			rebuild();
			awaitRebuilt(3);
			assertThatTheReadModelIsExact(3);
			assertThat(this.world.version(World.ACME, "again")).isEqualTo(1);
			assertThat(this.world.version(World.ACME, "discarded")).isZero();
			assertThat(this.world.count("select total from account where account = 'edited'")).isEqualTo(77);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	/** Events that failed in the former read model, and now, do not overtake. */
	@Test
	void parksWhatFailsWhileItIsFilledWithItsFollowers() {
		Stored accounts = new Stored();
		appendAll(1, 10);
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(10);
			accounts.refused.add("a3");
			rebuild();
			awaitRebuilt(2);
			assertThat(openLetters()).isEqualTo(10);
			assertThat(this.world.version(World.ACME, "a3")).isZero();
			accounts.refused.clear();
			this.world.operators().redrive(RedriveRequest.of(filter("a3"), "anna"));
			awaitVersions(10);
			assertThatTheReadModelIsExact(10);
			appendAll(11, 12);
			awaitVersions(12);
			assertThatTheReadModelIsExact(12);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	/**
	 * An operator's transaction discards the letter before an event, which therefore
	 * waits. What comes after it in the lane must wait too, whichever its key is.
	 */
	@Test
	void holdsUpTheLaneOfAnEventWhoseTurnIsNotDecided() {
		append("b", 1, 1);
		append("a", 1, 1);
		append("b", 2, 2);
		append("a", 2, 2);
		OneLane accounts = new OneLane();
		// In a batch with another event the second one of "b" would be parked before.
		WorldApplication oneAtATime = WorldApplication.of(accounts)
			.with(ProjectorSettings.builder().batchSize(1).build())
			.lease(Duration.ofSeconds(2));
		try (AnnotationConfigApplicationContext application = this.world.start(oneAtATime)) {
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			CountDownLatch free = new CountDownLatch(1);
			accounts.refused.add("b");
			accounts.slow.put("a", free);
			rebuild();
			await().until(() -> openLetters() == 1);
			accounts.refused.clear();
			this.world.jdbc().execute((ConnectionCallback<Boolean>) (connection) -> {
				connection.setAutoCommit(false);
				try (Statement discard = connection.createStatement()) {
					discard.execute("update eventing.dead_letters set status = 'DISCARDED', closed_at = now()");
					free.countDown();
					await().until(() -> this.world.version(World.ACME, "a") == 1);
					Steady.holds(Duration.ofSeconds(1), () -> this.world.version(World.ACME, "a") == 1);
					connection.commit();
				}
				finally {
					connection.setAutoCommit(true);
				}
				return true;
			});
			awaitRebuilt(2);
			assertThat(this.world.version(World.ACME, "b")).isEqualTo(2);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(2);
			// the first event of "b" was discarded
			assertThat(this.world.jdbc().queryForList("select account || version from violations", String.class))
				.containsExactly("b2");
		}
	}

	@Test
	void leavesOutWhatIsDiscardedBeforeItIsRead() {
		append("a", 1, 1);
		append("b", 1, 1);
		OneLane accounts = new OneLane();
		accounts.refused.add("b");
		WorldApplication oneAtATime = WorldApplication.of(accounts)
			.with(ProjectorSettings.builder().maxAckPending(1).build());
		try (AnnotationConfigApplicationContext application = this.world.start(oneAtATime)) {
			await().until(() -> openLetters() == 1);
			accounts.refused.clear();
			CountDownLatch free = new CountDownLatch(1);
			accounts.slow.put("a", free);
			rebuild();
			await().until(() -> state(application) == ProjectorState.REBUILDING
					&& World.status(application, Accounts.PROJECTOR).inFlight() == 1);
			this.world.jdbc().update("update eventing.dead_letters set status = 'DISCARDED', closed_at = now()");
			free.countDown();
			awaitRebuilt(2);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(1);
			assertThat(this.world.version(World.ACME, "b")).isZero();
		}
	}

	private DeadLetterFilter filter(String account) {
		return DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR).withOrderingKey(this.world.storedStream(account));
	}

	private DeadLetter letter(String account) {
		return this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.filter((letter) -> this.world.storedStream(account).equals(letter.orderingKey()))
			.findFirst()
			.orElseThrow();
	}

}
