package dev.eventing.sdk.projector.feed.store;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints.Row;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The rows of a projector's checkpoint are replaced: there is always one of each, whoever
 * writes at the same time.
 */
class JdbcCheckpointsIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final Session one = this.fixture.opened(new Session(this.fixture.url()));

	private final Session other = this.fixture.opened(new Session(this.fixture.url()));

	@BeforeEach
	void begin() {
		this.one.write((checkpoints) -> checkpoints.findOrBegin(7));
		assertThatTheRowIs(new Row(7, 0, true));
	}

	@Test
	void hasOneRowWhateverWasWritten() {
		this.one.write((checkpoints) -> checkpoints.findOrBegin(9));
		assertThatTheRowIs(new Row(7, 0, true));
		for (int again = 0; again < 2; again++) {
			this.one.write((checkpoints) -> checkpoints.handOut(0, 9));
		}
		assertThatTheRowIs(new Row(7, 9, false));
		this.one.write((checkpoints) -> checkpoints.move(7, 8, 9));
		this.one.write((checkpoints) -> checkpoints.move(8, 9, 9));
		assertThatTheRowIs(new Row(9, 9, false));
		this.one.write(JdbcCheckpoints::stopInOrder);
		assertThatTheRowIs(new Row(9, 9, true));
		this.one.write((checkpoints) -> checkpoints.moveTo(7));
		assertThatTheRowIs(new Row(7, 7, true));
		this.one.write((checkpoints) -> checkpoints.handOut(0, 8));
		this.one.write((checkpoints) -> checkpoints.move(7, 8, 8));
		assertThatTheRowIs(new Row(8, 8, false));
	}

	@Test
	void movesOnlyFromThePositionThatIsKnownAndOnlyWhileTheDatabaseHasWhatWasHandedOut() {
		this.one.write((checkpoints) -> checkpoints.handOut(0, 9));
		assertThatExceptionOfType(SetBackException.class)
			.isThrownBy(() -> this.one.write((checkpoints) -> checkpoints.move(6, 9, 9)));
		assertThatExceptionOfType(SetBackException.class)
			.isThrownBy(() -> this.one.write((checkpoints) -> checkpoints.move(7, 9, 10)));
		this.one.jdbc.update("delete from eventing.projector_handouts");
		assertThatExceptionOfType(SetBackException.class)
			.isThrownBy(() -> this.one.write((checkpoints) -> checkpoints.move(7, 9, 0)));
		assertThatTheRowIs(new Row(7, 0, true));
	}

	@Test
	void handsOutWhileAnotherTransactionMovesAndMovesWhileAnotherHandsOut() {
		this.one.write((checkpoints) -> checkpoints.handOut(0, 8));
		this.one.write((checkpoints) -> {
			checkpoints.move(7, 8, 8);
			this.other.write((others) -> others.handOut(0, 9));
		});
		assertThatTheRowIs(new Row(8, 9, false));
		this.one.write((checkpoints) -> {
			checkpoints.handOut(0, 10);
			this.other.write((others) -> others.move(8, 9, 9));
		});
		assertThatTheRowIs(new Row(9, 10, false));
	}

	@Test
	void readsWhereATransactionItHasWaitedForHasMovedThePosition() {
		assertThat(whileOtherWaits((checkpoints) -> checkpoints.move(7, 8, 0), JdbcCheckpoints::lockedPosition, true))
			.isEqualTo(8);
		assertThat(whileOtherWaits((checkpoints) -> checkpoints.move(8, 9, 0), JdbcCheckpoints::lockedPosition, false))
			.isEqualTo(8);
	}

	@Test
	void handsOutAndGoesBackThoughATransactionItHasWaitedForReplacedTheRow() {
		whileOtherWaits((checkpoints) -> checkpoints.handOut(0, 8), (others) -> {
			others.handOut(0, 9);
			return true;
		}, true);
		assertThatTheRowIs(new Row(7, 9, false));
		whileOtherWaits((checkpoints) -> checkpoints.move(7, 8, 9), (others) -> {
			others.moveTo(5);
			return true;
		}, true);
		assertThatTheRowIs(new Row(5, 5, false));
	}

	@Test
	void doesNotMoveWhereATransactionItHasWaitedForMoved() {
		String result = whileOtherWaits((checkpoints) -> checkpoints.move(7, 8, 0), (others) -> {
			try {
				others.move(7, 9, 0);
				return "moved";
			}
			catch (SetBackException ex) {
				return "refused";
			}
		}, true);
		assertThat(result).isEqualTo("refused");
		assertThatTheRowIs(new Row(8, 0, true));
	}

	/**
	 * Runs the first in a transaction that ends when the other session waits for it.
	 * @return what the other session returned
	 */
	private <T> T whileOtherWaits(Consumer<JdbcCheckpoints> first, Function<JdbcCheckpoints, T> waiting,
			boolean commit) {
		CompletableFuture<T> result = Objects.requireNonNull(this.one.transaction.execute((status) -> {
			first.accept(this.one.checkpoints);
			CompletableFuture<T> other = CompletableFuture.supplyAsync(() -> this.other.run(waiting));
			await().until(() -> this.one.count("""
					select count(*) from pg_locks
					 where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))""") == 1);
			if (!commit) {
				status.setRollbackOnly();
			}
			return other;
		}));
		return result.join();
	}

	private void assertThatTheRowIs(Row row) {
		assertThat(this.one.run(JdbcCheckpoints::find)).contains(row);
		assertThat(this.one.count("select count(*) from eventing.projector_checkpoints")).isOne();
		assertThat(this.one.count("select count(*) from eventing.projector_handouts")).isLessThanOrEqualTo(1);
	}

	/** A connection and its transactions. None of them waits for ever for the other's. */
	private static final class Session implements AutoCloseable {

		private final SingleConnectionDataSource connection;

		private final JdbcTemplate jdbc;

		private final TransactionTemplate transaction;

		private final JdbcCheckpoints checkpoints;

		Session(String url) {
			this.connection = new SingleConnectionDataSource(url, true);
			this.jdbc = new JdbcTemplate(this.connection);
			this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.connection));
			this.checkpoints = new JdbcCheckpoints(this.jdbc, EventingSchema.defaults(), ProjectorId.of("accounts"));
			this.jdbc.execute("set lock_timeout to '20s'");
		}

		<T> T run(Function<JdbcCheckpoints, T> action) {
			return Objects.requireNonNull(this.transaction.execute((status) -> action.apply(this.checkpoints)));
		}

		void write(Consumer<JdbcCheckpoints> action) {
			this.transaction.executeWithoutResult((status) -> action.accept(this.checkpoints));
		}

		long count(String sql) {
			return Objects.requireNonNull(this.jdbc.queryForObject(sql, Long.class));
		}

		@Override
		public void close() {
			this.connection.close();
		}

	}

}
