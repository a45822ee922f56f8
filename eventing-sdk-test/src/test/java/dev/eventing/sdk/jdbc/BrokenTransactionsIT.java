package dev.eventing.sdk.jdbc;

import java.sql.Connection;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.fixture.Fixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
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
			EndingConnections.atTheEnd(this.pool, (connection) -> connection.abort(Runnable::run));
		});
		assertThat(this.broken.take()).hasSize(1);
	}

	/** Hibernate does that where it releases connections after transactions. */
	@Test
	void hasNoneWhoseConnectionThePoolHasAgain() {
		this.transaction.executeWithoutResult((status) -> {
			this.broken.join();
			status.setRollbackOnly();
			EndingConnections.atTheEnd(this.pool, Connection::close);
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

}
