package dev.eventing.sdk.store;

import java.time.Clock;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.EventJson;
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

	/** A part of a transaction of the other one. */
	private final TransactionTemplate nested = new TransactionTemplate(
			new JdbcTransactionManager(this.world.dataSource()));

	private EventStore ofPool = this.store;

	@BeforeEach
	void open() {
		this.pool.setJdbcUrl(this.world.url());
		this.pool.setAutoCommit(false);
		this.nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
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
	void leaveAnErrorInTheLogInATransactionOfAnotherDataSource(boolean afterAnotherStatement, CapturedOutput output) {
		this.wrong.executeWithoutResult((status) -> {
			if (afterAnotherStatement) {
				this.jdbc.execute("select 1");
			}
			append(1);
			append(2);
		});
		assertThat(versions("order-1")).isEmpty();
		assertThat(output).contains("Events of stream 'order-1' are lost");
	}

	@Test
	void leaveAnErrorAlsoIfALaterSavepointIsRolledBack(CapturedOutput output) {
		this.wrong.executeWithoutResult((status) -> {
			append(1);
			this.nested.executeWithoutResult((within) -> within.setRollbackOnly());
		});
		assertThat(output).contains("Events of stream 'order-1' are lost");
	}

	/** Nothing is lost that the caller does not know of. */
	@Test
	void leaveNothingInTheLogIfTheyAreRolledBack(CapturedOutput output) {
		this.wrong.executeWithoutResult((status) -> {
			append(1);
			status.setRollbackOnly();
		});
		this.right.executeWithoutResult((status) -> {
			append(1);
			status.setRollbackOnly();
		});
		this.wrong.executeWithoutResult((status) -> this.nested.executeWithoutResult((within) -> {
			append(1);
			within.setRollbackOnly();
		}));
		assertThat(versions("order-1")).isEmpty();
		assertThat(output).doesNotContain("are lost");
	}

	/** The transaction of the events goes on when that of the other manager ends. */
	@Test
	void areCommittedAlsoFromWithinATransactionOfAnotherDataSource(CapturedOutput output) {
		this.right.executeWithoutResult((status) -> {
			this.jdbc.execute("select 1");
			this.wrong.executeWithoutResult((within) -> append(1));
			append(2);
		});
		assertThat(versions("order-1")).containsExactly(1L, 2L);
		assertThat(output).doesNotContain("are lost");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void areFollowedAlsoIfAListenerReadsRightAfterTheCommit(boolean ofPool, CapturedOutput output) {
		(ofPool ? this.right : this.wrong).executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public int getOrder() {
					return HIGHEST_PRECEDENCE;
				}

				@Override
				public void afterCommit() {
					AppendTransactionsIT.this.jdbc.execute("select 1");
				}

			});
			append(1);
		});
		requireCommitted(ofPool, output);
	}

	/** As at a flush of Hibernate, which comes with the commit. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void areFollowedAlsoIfTheFirstComesWithTheCommit(boolean ofPool, CapturedOutput output) {
		(ofPool ? this.right : this.wrong).executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void beforeCompletion() {
						append(1);
					}

				}));
		requireCommitted(ofPool, output);
	}

	private void requireCommitted(boolean committed, CapturedOutput output) {
		assertThat(versions("order-1")).hasSize(committed ? 1 : 0);
		assertThat(output.toString().contains("Events of stream 'order-1' are lost")).isEqualTo(!committed);
		assertThat(output).doesNotContain("in a call after the commit");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void leaveAWarningAfterTheCommit(boolean afterAnother, CapturedOutput output) {
		this.right.executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					append(2);
				}

			});
			if (afterAnother) {
				append(1);
			}
		});
		assertThat(versions("order-1")).hasSize(afterAnother ? 1 : 0);
		assertThat(output).contains(
				"Events were appended to stream 'order-1' in a call after the commit of the transaction. They are lost");
	}

	/** In a transaction of another DataSource; the first one came in time. */
	@Test
	void leaveAnErrorAlsoIfAListenerAppendsAfterTheCommit(CapturedOutput output) {
		this.wrong.executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					append(2);
				}

			});
			append(1);
		});
		assertThat(versions("order-1")).isEmpty();
		assertThat(output).contains("in a call after the commit", "Events of stream 'order-1' are lost");
	}

}
