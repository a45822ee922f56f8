package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.fixture.Fixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Which transactions that were rolled back have left a session on the server. */
class BrokenTransactionsIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final HikariDataSource pool = this.fixture.pool(this.fixture.emptyDatabase(), 1);

	private final BrokenTransactions broken = new BrokenTransactions(this.pool);

	private final TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.pool));

	@Test
	void hasThoseWhoseConnectionBroke() {
		this.transaction.executeWithoutResult((status) -> {
			this.broken.join();
			status.setRollbackOnly();
			atTheEnd((connection) -> connection.abort(Runnable::run));
		});
		assertThat(this.broken.take()).hasSize(1);
	}

	/** Hibernate does that where it releases connections after transactions. */
	@Test
	void hasNoneWhoseConnectionThePoolHasAgain() {
		this.transaction.executeWithoutResult((status) -> {
			this.broken.join();
			status.setRollbackOnly();
			atTheEnd(Connection::close);
		});
		assertThat(this.broken.take()).isEmpty();
	}

	@Test
	void hasNoneThatOnlyFailed() {
		this.transaction.executeWithoutResult((status) -> {
			this.broken.join();
			new JdbcTemplate(this.pool).execute("select 1");
			status.setRollbackOnly();
		});
		assertThat(this.broken.take()).isEmpty();
	}

	/** Comes before the listeners without an order. */
	private void atTheEnd(Ending ending) {
		ConnectionHolder holder = (ConnectionHolder) Objects
			.requireNonNull(TransactionSynchronizationManager.getResource(this.pool));
		Connection connection = holder.getConnection();
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public int getOrder() {
				return HIGHEST_PRECEDENCE;
			}

			@Override
			public void afterCompletion(int status) {
				try {
					ending.of(connection);
				}
				catch (SQLException ex) {
					throw new IllegalStateException(ex);
				}
			}

		});
	}

	/** What happens to the connection of a transaction that has ended. */
	private interface Ending {

		void of(Connection connection) throws SQLException;

	}

}
