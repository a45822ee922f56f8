package dev.eventing.sdk.store;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.event.EventJson;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Appends where the pool disables autocommit: its connection looks like one in a
 * transaction also if nothing will commit it.
 */
@ExtendWith(OutputCaptureExtension.class)
class AppendTransactionsIT extends StoreSetup {

	@AutoClose
	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final TransactionTemplate right = new TransactionTemplate(new JdbcTransactionManager(this.pool));

	/** That of a store in the same database is none of this pool. */
	private final TransactionTemplate wrong = this.world.transaction();

	private EventStore ofPool = this.store;

	@BeforeEach
	void open() {
		this.pool.setJdbcUrl(this.world.url());
		this.pool.setAutoCommit(false);
		this.ofPool = new EventStore(this.pool, StoreWorld.SCHEMA, EventJson.mapper(), new AppendSignal(),
				StoreOptions.defaults(), Clock.systemUTC());
	}

	private void append(int number) {
		this.ofPool.append(ACME, "order-1", ExpectedVersion.any(), placed(number));
	}

	@Test
	void areCommittedInTheirTransaction() {
		this.right.executeWithoutResult((status) -> {
			append(1);
			append(2);
		});
		assertThat(versions("order-1")).containsExactly(1L, 2L);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void areToldToBeLostInATransactionOfAnotherDataSource(boolean afterAnotherStatement) {
		assertThatExceptionOfType(WrongTransactionException.class)
			.isThrownBy(() -> this.wrong.executeWithoutResult((status) -> {
				if (afterAnotherStatement) {
					this.jdbc.execute("select 1");
				}
				append(1);
				append(2);
			}))
			.withMessageContaining("order-1")
			.withMessageContaining("are lost: the transaction that was committed belongs to another DataSource");
		assertThat(versions("order-1")).isEmpty();
	}

	/** Nothing is lost that the caller does not know of. */
	@Test
	void areNotToldToBeLostWithATransactionThatIsRolledBack() {
		this.wrong.executeWithoutResult((status) -> {
			append(1);
			status.setRollbackOnly();
		});
		this.right.executeWithoutResult((status) -> {
			append(1);
			status.setRollbackOnly();
		});
		TransactionTemplate nested = new TransactionTemplate(new JdbcTransactionManager(this.pool));
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.right.executeWithoutResult((status) -> nested.executeWithoutResult((within) -> {
			append(1);
			within.setRollbackOnly();
		}));
		assertThat(versions("order-1")).isEmpty();
	}

	@Test
	void areRefusedAfterTheCommitOfATransactionThatHasAppended() {
		Throwable thrown = afterCommit(true, () -> append(2));
		assertThat(thrown).isInstanceOf(WrongTransactionException.class)
			.hasMessageContaining("in a call after the end of a transaction");
		assertThat(versions("order-1")).containsExactly(1L);
	}

	@Test
	void areToldToBeLostAfterTheCommitOfATransactionThatHasNot(CapturedOutput output) {
		assertThat(afterCommit(false, () -> append(2))).isNull();
		assertThat(versions("order-1")).isEmpty();
		assertThat(output).contains(
				"Events were appended to stream 'order-1' in a call after the commit of the transaction. They are lost");
	}

	private @Nullable Throwable afterCommit(boolean appends, ThrowingCallable call) {
		List<@Nullable Throwable> thrown = new ArrayList<>();
		this.right.executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					thrown.add(catchThrowable(call));
				}

			});
			if (appends) {
				append(1);
			}
		});
		return thrown.get(0);
	}

	/** Spring lets a listener's transactional method join it. */
	@Test
	void areToldToBeLostInACallThatJoinsATransactionThatHasEnded() {
		List<@Nullable Throwable> thrown = new ArrayList<>();
		this.right.executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int completion) {
						thrown.add(catchThrowable(
								() -> AppendTransactionsIT.this.right.executeWithoutResult((joined) -> append(1))));
					}

				}));
		assertThat(thrown.get(0)).isInstanceOf(WrongTransactionException.class)
			.hasMessageContaining("in a call after the end of a transaction");
		assertThat(versions("order-1")).isEmpty();
	}

}
