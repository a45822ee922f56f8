package dev.eventing.sdk.projector.attempt;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.delivery.StreamEvents;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionSystemException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TransientFailuresTests {

	private final RuntimeException away = new CannotGetJdbcConnectionException("away",
			new SQLTransientConnectionException("refused"));

	private final RuntimeException timeOut = new QueryTimeoutException("slow",
			new SQLException("canceling statement", "57014"));

	private final RuntimeException ownMistake = new IllegalStateException("the handler's own");

	/** The server ended the session, so the rollback failed, too. */
	private final TransactionSystemException tookTooLong = new TransactionSystemException("rollback",
			new SQLException("Connection is closed"));

	private final RuntimeException ended = new UncategorizedSQLException("write", null,
			new SQLException("terminating connection due to idle-in-transaction timeout", "25P03"));

	private final List<Work> event = List.of(StreamEvents.unreadable(1, null));

	private final CountDownLatch stopping = new CountDownLatch(1);

	/** Nothing here asks it: a failure is transient for the first ten times, unasked. */
	private final TransientFailures failures = new TransientFailures(ProjectorId.of("orders"), new JdbcTemplate(),
			this.stopping);

	/** A database that answers, and has been up for long. */
	private final TransientFailures beside = new TransientFailures(ProjectorId.of("orders"), new JdbcTemplate() {

		@Override
		public <T> T queryForObject(String sql, Class<T> type) {
			return type.cast(TransientFailuresTests.this.answers.get());
		}

		@Override
		public <T> T queryForObject(String sql, Class<T> type, @Nullable Object @Nullable ... args) {
			return type.cast(TransientFailuresTests.this.startedShortlyBefore.get());
		}

	}, this.stopping);

	private final AtomicBoolean answers = new AtomicBoolean(true);

	private final AtomicBoolean startedShortlyBefore = new AtomicBoolean();

	private final RuntimeException cut = new DataAccessResourceFailureException("read",
			new SQLException("I/O error", "08006"));

	private final AtomicInteger runs = new AtomicInteger();

	TransientFailuresTests() {
		this.tookTooLong.initApplicationException(this.ended);
	}

	/** Fails once with each, then goes well. */
	private void failing(Deque<Throwable> with) {
		this.runs.incrementAndGet();
		Throwable next = with.poll();
		if (next instanceof Error error) {
			throw error;
		}
		if (next instanceof RuntimeException exception) {
			throw exception;
		}
	}

	private static Deque<Throwable> first(Throwable... failures) {
		return new ArrayDeque<>(List.of(failures));
	}

	@Nested
	class AnAttempt {

		@Test
		void isRepeatedAsLongAsItsFailuresAreTransient() throws InterruptedException {
			assertThat(attempt(first(TransientFailuresTests.this.away,
					new OwnStatementException(TransientFailuresTests.this.timeOut), TransientFailuresTests.this.away)))
				.isNull();
			assertThat(TransientFailuresTests.this.runs).hasValue(4);
			assertThat(TransientFailuresTests.this.failures.current()).isNull();
		}

		@Test
		void endsWithAFailureOfTheEventsOwn() throws InterruptedException {
			assertThat(attempt(first(TransientFailuresTests.this.away, TransientFailuresTests.this.ownMistake)))
				.isSameAs(TransientFailuresTests.this.ownMistake);
			assertThat(TransientFailuresTests.this.runs).hasValue(2);
		}

		@Test
		void endsWithATimeOutOfAHandler() throws InterruptedException {
			assertThat(attempt(first(TransientFailuresTests.this.timeOut)))
				.isSameAs(TransientFailuresTests.this.timeOut);
		}

		/** Otherwise a handler that is slow runs twice in each of its attempts. */
		@Test
		void isRepeatedOnceForAllAttemptsOfAnEventThatTookTooLongAlone() throws InterruptedException {
			assertThat(attempt(first(TransientFailuresTests.this.away, TransientFailuresTests.this.tookTooLong,
					TransientFailuresTests.this.tookTooLong)))
				.isSameAs(TransientFailuresTests.this.ended);
			assertThat(TransientFailuresTests.this.runs).hasValue(3);
			assertThat(attempt(first(TransientFailuresTests.this.tookTooLong)))
				.isSameAs(TransientFailuresTests.this.ended);
			assertThat(TransientFailuresTests.this.runs).hasValue(4);
		}

		/** It was the handler that took the time. */
		@Test
		void isNoOutageWhileAnEventThatTookTooLongRunsOnceMore() throws InterruptedException {
			List<Boolean> outages = new ArrayList<>();
			Deque<Throwable> slow = first(TransientFailuresTests.this.away, TransientFailuresTests.this.tookTooLong);
			assertThat(TransientFailuresTests.this.failures.attempt(TransientFailuresTests.this.event, () -> {
				outages.add(TransientFailuresTests.this.failures.current() != null);
				failing(slow);
			})).isNull();
			assertThat(outages).containsExactly(false, true, false);
		}

		/** Each of them runs alone next, and still has its repeat. */
		@Test
		void isNotRepeatedIfSeveralEventsTookTooLong() throws InterruptedException {
			List<Work> part = List.of(StreamEvents.unreadable(2, null), StreamEvents.unreadable(3, null));
			assertThat(attempt(part, first(TransientFailuresTests.this.tookTooLong)))
				.isSameAs(TransientFailuresTests.this.ended);
			assertThat(TransientFailuresTests.this.runs).hasValue(1);
			assertThat(TransientFailuresTests.this.failures.current()).isNull();
			assertThat(part).allSatisfy((work) -> assertThat(work.takeRepeat()).isTrue());
		}

		@Test
		void showsWhatItWaitsForUntilItGoesWell() throws InterruptedException {
			Deque<Throwable> once = first(TransientFailuresTests.this.away);
			TransientFailuresTests.this.failures.attempt(TransientFailuresTests.this.event, () -> {
				TransientFailure current = TransientFailuresTests.this.failures.current();
				assertThat(current != null).isEqualTo(TransientFailuresTests.this.runs.get() == 1);
				if (current != null) {
					assertThat(current.error()).isEqualTo("SQLTransientConnectionException: refused");
					assertThat(current.lasting()).isFalse();
				}
				failing(once);
			});
			assertThat(TransientFailuresTests.this.failures.current()).isNull();
		}

		@Test
		void isNotRepeatedOnceTheProjectorIsAnothersOrTheProcessIsBroken() {
			assertThatExceptionOfType(OwnershipLostException.class).isThrownBy(() -> attempt(
					first(new OwnershipLostException(ProjectorId.of("orders"), TransientFailuresTests.this.away))));
			assertThatExceptionOfType(OutOfMemoryError.class)
				.isThrownBy(() -> attempt(first(new OutOfMemoryError("heap"))));
			assertThat(TransientFailuresTests.this.runs).hasValue(2);
		}

		@Test
		void endsWhenTheProjectorIsToStop() {
			TransientFailuresTests.this.stopping.countDown();
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> attempt(first(TransientFailuresTests.this.ownMistake)));
			assertThat(TransientFailuresTests.this.runs).hasValue(1);
		}

		private @Nullable Throwable attempt(Deque<Throwable> with) throws InterruptedException {
			return attempt(TransientFailuresTests.this.event, with);
		}

		private @Nullable Throwable attempt(List<Work> part, Deque<Throwable> with) throws InterruptedException {
			return TransientFailuresTests.this.failures.attempt(part, () -> failing(with));
		}

	}

	/** Of a session that was cut, or a lock that was not to be had. */
	@Nested
	class AFailureThatMayBeTheEventsOwn {

		@Test
		void isItsOwnOnceItsRepeatsAreUsedUp() throws InterruptedException {
			Work work = TransientFailuresTests.this.event.get(0);
			work.doubts().failed(System.nanoTime() - Duration.ofHours(1).toNanos());
			assertThat(attempt(List.of(work), 9)).isSameAs(TransientFailuresTests.this.cut);
			assertThat(TransientFailuresTests.this.runs).hasValue(2);
			assertThat(attempt(List.of(work), 9)).isSameAs(TransientFailuresTests.this.cut);
			assertThat(TransientFailuresTests.this.runs).hasValue(3);
		}

		@Test
		void isRepeatedWithoutAnAttempt() throws InterruptedException {
			assertThat(attempt(TransientFailuresTests.this.event, 1)).isNull();
			assertThat(TransientFailuresTests.this.runs).hasValue(2);
		}

		/** Each of them runs alone next, with all of its repeats. */
		@Test
		void isNotRepeatedIfSeveralEventsRanTogether() throws InterruptedException {
			List<Work> part = List.of(StreamEvents.unreadable(2, null), StreamEvents.unreadable(3, null));
			assertThat(attempt(part, 9)).isSameAs(TransientFailuresTests.this.cut);
			assertThat(TransientFailuresTests.this.runs).hasValue(1);
			assertThat(part).allSatisfy((work) -> assertThat(work.doubts().failed(0)).hasMillis(500));
		}

		@Test
		void isAnOutageAsLongAsTheDatabaseDoesNotAnswer() throws InterruptedException {
			TransientFailuresTests.this.answers.set(false);
			assertThat(attempt(List.of(StreamEvents.unreadable(2, null), StreamEvents.unreadable(3, null)), 5))
				.isNull();
			assertThat(TransientFailuresTests.this.runs).hasValue(6);
		}

		/** Also if it is back before it is asked. */
		@Test
		void isAnOutageIfTheServerHasStartedSince() throws InterruptedException {
			TransientFailuresTests.this.startedShortlyBefore.set(true);
			TransientFailuresTests.this.event.get(0).doubts().failed(0);
			TransientFailuresTests.this.event.get(0).doubts().failed(0);
			assertThat(attempt(TransientFailuresTests.this.event, 5)).isNull();
			assertThat(TransientFailuresTests.this.runs).hasValue(6);
		}

		/** Otherwise several crashes, with some seconds between them, cost an attempt. */
		@Test
		void hasAllOfItsRepeatsAgainOnceTheDatabaseWasNotWell() throws InterruptedException {
			Work work = TransientFailuresTests.this.event.get(0);
			work.doubts().failed(System.nanoTime() - Duration.ofHours(1).toNanos());
			work.doubts().failed(System.nanoTime());
			TransientFailuresTests.this.startedShortlyBefore.set(true);
			assertThat(attempt(List.of(work), 1)).isNull();
			TransientFailuresTests.this.startedShortlyBefore.set(false);
			assertThat(attempt(List.of(work), 1)).isNull();
			assertThat(TransientFailuresTests.this.runs).hasValue(4);
		}

		/** It may bring the server down. Its later attempts cost fewer crashes. */
		@Test
		void isItsOwnIfTheServerFallsInEachOfManyRuns() throws InterruptedException {
			TransientFailuresTests.this.startedShortlyBefore.set(true);
			assertThat(attempt(TransientFailuresTests.this.event, 99)).isSameAs(TransientFailuresTests.this.cut);
			assertThat(TransientFailuresTests.this.runs).hasValue(14);
			assertThat(attempt(TransientFailuresTests.this.event, 99)).isSameAs(TransientFailuresTests.this.cut);
			assertThat(TransientFailuresTests.this.runs).hasValue(18);
		}

		/**
		 * What seemed to be contention has been shown to be its own, with its first
		 * attempt.
		 */
		@Test
		void isNotWaitedOutInEachAttemptLikeContention() throws InterruptedException {
			RuntimeException deadlock = new UncategorizedSQLException("write", null,
					new SQLException("deadlock detected", "40P01"));
			Deque<Throwable> deadlocks = new ArrayDeque<>(Collections.nCopies(9, deadlock));
			TransientFailuresTests.this.event.get(0).doubts().wear();
			assertThat(TransientFailuresTests.this.beside.attempt(TransientFailuresTests.this.event,
					() -> failing(deadlocks)))
				.isSameAs(deadlock);
			assertThat(TransientFailuresTests.this.runs).hasValue(4);
		}

		/** The first runs fail. */
		private @Nullable Throwable attempt(List<Work> part, int failures) throws InterruptedException {
			Deque<Throwable> cuts = new ArrayDeque<>(Collections.nCopies(failures, TransientFailuresTests.this.cut));
			return TransientFailuresTests.this.beside.attempt(part, () -> failing(cuts));
		}

	}

	@Nested
	class SomethingThatMustBeDone {

		@Test
		void isRepeatedAfterTimeOutsToo() throws InterruptedException {
			assertThat(insist(first(TransientFailuresTests.this.timeOut, TransientFailuresTests.this.away)))
				.isEqualTo("done");
			assertThat(TransientFailuresTests.this.runs).hasValue(3);
		}

		/** As after an outage in which somebody changed the rights. */
		@Test
		void showsTheLastCauseItWaitsForAndThatItLasts() throws InterruptedException {
			Deque<Throwable> causes = first(TransientFailuresTests.this.away, new OwnStatementException(
					new UncategorizedSQLException("claim", null, new SQLException("ERROR: no right", "42501"))));
			TransientFailuresTests.this.failures.insist(() -> {
				TransientFailure current = TransientFailuresTests.this.failures.current();
				if (causes.isEmpty()) {
					Objects.requireNonNull(current);
					assertThat(current.lasting()).isTrue();
					assertThat(current.error()).isEqualTo("The SDK's tables cannot be used: ERROR: no right");
					assertThat(TransientFailuresTests.this.failures.withOutage(Duration.ofSeconds(1)))
						.isEqualTo(Duration.ofSeconds(11));
				}
				failing(causes);
				return "done";
			});
			assertThat(TransientFailuresTests.this.failures.current()).isNull();
		}

		/** As where one lane meets a row that a constraint refuses, and others do not. */
		@Test
		void showsItsCauseThoughAnotherGoesOn() throws InterruptedException {
			TransientFailures failures = TransientFailuresTests.this.failures;
			Deque<Throwable> causes = first(TransientFailuresTests.this.away);
			failures.insist(() -> {
				failing(causes);
				assertThat(failures.current()).isNotNull();
				assertThat(other(failures)).isEqualTo("done");
				assertThat(failures.current()).isNotNull();
				return "done";
			});
			assertThat(failures.current()).isNull();
		}

		private String other(TransientFailures failures) {
			try {
				Deque<Throwable> causes = first(TransientFailuresTests.this.away);
				return failures.insist(() -> {
					failing(causes);
					return "done";
				});
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/** Whatever ends the wait. */
		@Test
		void waitsNoMoreOnceItFailed() {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(
					() -> insist(first(TransientFailuresTests.this.away, TransientFailuresTests.this.ownMistake)));
			assertThat(TransientFailuresTests.this.failures.current()).isNull();
			assertThatExceptionOfType(OutOfMemoryError.class)
				.isThrownBy(() -> insist(first(TransientFailuresTests.this.away, new OutOfMemoryError("heap"))));
			assertThat(TransientFailuresTests.this.failures.current()).isNull();
		}

		@Test
		void throwsWhatNoWaitingHelps() {
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(
						() -> insist(first(TransientFailuresTests.this.away, TransientFailuresTests.this.ownMistake)))
				.isSameAs(TransientFailuresTests.this.ownMistake);
		}

		@Test
		void isGivenUpWhenTheProjectorIsToStop() {
			TransientFailuresTests.this.stopping.countDown();
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> insist(first(new DataAccessResourceFailureException("away"))));
		}

		private String insist(Deque<Throwable> with) throws InterruptedException {
			return TransientFailuresTests.this.failures.insist(() -> {
				failing(with);
				return "done";
			});
		}

	}

}
