package dev.eventing.sdk.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A transaction that is given up and ends by itself at the same moment. */
class OpenTransactionsIT {

	private static final Duration LONGEST = Patience.LONG;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final LateAborts database = new LateAborts(TestServers.postgres().dataSource(this.fixture.emptyDatabase()));

	private HikariDataSource pool;

	private OpenTransactions open;

	private TransactionTemplate transaction;

	@BeforeEach
	void create() {
		this.pool = this.fixture.opened(new HikariDataSource());
		this.pool.setDataSource(this.database);
		this.pool.setMaximumPoolSize(1);
		this.open = new OpenTransactions(this.pool, LONGEST);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.pool));
	}

	@AfterEach
	void letGo() {
		this.database.free.countDown();
	}

	@Test
	void givesNoConnectionBackThatIsBeingGivenUp() throws Exception {
		CompletableFuture<Integer> aborting = this.transaction.execute((status) -> {
			this.open.join();
			int gone = pid(new JdbcTemplate(this.pool));
			CompletableFuture<Integer> other = CompletableFuture.supplyAsync(this.open::abort);
			await().until(() -> this.database.late.get());
			return other.thenApply((aborted) -> gone);
		});
		try (Connection next = this.pool.getConnection()) {
			JdbcTemplate borrower = new JdbcTemplate(new SingleConnectionDataSource(next, true));
			int pid = pid(borrower);
			this.database.free.countDown();
			assertThat(aborting.get(LONGEST.toSeconds(), TimeUnit.SECONDS)).isNotEqualTo(pid);
			assertThat(pid(borrower)).isEqualTo(pid);
		}
		assertThat(this.open.abort()).isZero();
	}

	@Test
	void givesTheConnectionBackOfATransactionThatNobodyGaveUp() {
		JdbcTemplate jdbc = new JdbcTemplate(this.pool);
		Integer pid = this.transaction.execute((status) -> {
			this.open.join();
			return pid(jdbc);
		});
		assertThat(this.open.abort()).isZero();
		assertThat(pid(jdbc)).isEqualTo(pid);
	}

	@Test
	void givesTheConnectionBackOfATransactionThatFailed() {
		JdbcTemplate jdbc = new JdbcTemplate(this.pool);
		AtomicInteger used = new AtomicInteger();
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.open.join();
				used.set(pid(jdbc));
				jdbc.execute("select 1 / 0");
			}));
		assertThat(this.open.abort()).isZero();
		assertThat(pid(jdbc)).isEqualTo(used.get());
	}

	private static int pid(JdbcTemplate jdbc) {
		return Objects.requireNonNull(jdbc.queryForObject("select pg_backend_pid()", Integer.class));
	}

	/** Keeps a thread standing right before it gives a connection up, once. */
	private static final class LateAborts extends DelegatingDataSource {

		private final AtomicBoolean late = new AtomicBoolean();

		private final CountDownLatch free = new CountDownLatch(1);

		LateAborts(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("abort") && this.late.compareAndSet(false, true)) {
							this.free.await();
						}
						try {
							return method.invoke(connection, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

}
