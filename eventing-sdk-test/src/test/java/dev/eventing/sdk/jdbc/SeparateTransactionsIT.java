package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.fixture.Fixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/** What the server does with transactions whose client sends nothing. */
class SeparateTransactionsIT {

	private static final String SETTING = "select current_setting('idle_in_transaction_session_timeout')";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final HikariDataSource pool = this.fixture.pool(this.fixture.emptyDatabase(), 4);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final SeparateTransactions transactions = new SeparateTransactions(this.pool);

	private final JdbcTemplate within = new JdbcTemplate(this.transactions.dataSource());

	@Test
	void giveTheirLocksBackThoughTheirClientStandsStill() {
		this.jdbc.execute("create table locked (id int primary key)");
		this.jdbc.update("insert into locked values (1)");
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch goesOn = new CountDownLatch(1);
		CompletableFuture<Integer> still = CompletableFuture.supplyAsync(() -> this.transactions.write(() -> {
			this.within.update("delete from locked");
			begun.countDown();
			assertThatNoException().isThrownBy(goesOn::await);
			return this.within.update("insert into locked values (2)");
		}));
		assertThatNoException().isThrownBy(begun::await);
		assertThat(free()).isZero();
		await().until(() -> free() == 1);
		goesOn.countDown();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(still::get)
			.withCauseInstanceOf(DataAccessException.class);
		assertThat(this.jdbc.queryForList("select id from locked", Integer.class)).containsExactly(1);
	}

	private int free() {
		return this.jdbc.queryForList("select id from locked for update skip locked", Integer.class).size();
	}

	@Test
	void keepAShorterTimeOfTheSessionAndNoLongerOne() throws SQLException {
		try (Connection session = this.pool.getConnection()) {
			assertThat(limited(session, "0")).isEqualTo("10s");
			assertThat(limited(session, "1h")).isEqualTo("10s");
			assertThat(limited(session, "10s")).isEqualTo("10s");
			assertThat(limited(session, "700ms")).isEqualTo("700ms");
		}
	}

	/** The setting within a transaction; after it, that of the session is as before. */
	private static String limited(Connection session, String setting) {
		SeparateTransactions transactions = new SeparateTransactions(new SingleConnectionDataSource(session, true));
		JdbcTemplate statements = new JdbcTemplate(transactions.dataSource());
		statements.execute("set idle_in_transaction_session_timeout = '" + setting + "'");
		String within = transactions.write(() -> statements.queryForObject(SETTING, String.class));
		assertThat(statements.queryForObject(SETTING, String.class)).isEqualTo(setting);
		return String.valueOf(within);
	}

}
