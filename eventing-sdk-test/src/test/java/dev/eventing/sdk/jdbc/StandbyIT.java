package dev.eventing.sdk.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/** A pool with connections to a server that has become a standby. */
@Tag("crash")
class StandbyIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final PostgresServer postgres = this.fixture.opened(PostgresServer.start());

	private final HikariDataSource pool = this.fixture.opened(new HikariDataSource());

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	@BeforeEach
	void becomeStandby() throws IOException {
		DataSource database = this.postgres.dataSource(this.postgres.createDatabase());
		this.pool.setDataSource(database);
		this.pool.setMaximumPoolSize(1);
		new SchemaInitializer(database, EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
		Path data = Path.of(String.valueOf(this.jdbc.queryForObject("show data_directory", String.class)));
		this.postgres.stop();
		assumeThat(data).as("the server's files are within reach").isDirectory();
		Files.createFile(data.resolve("standby.signal"));
		this.postgres.restart();
		await().ignoreExceptions().until(() -> pid(this.jdbc) > 0);
	}

	@Test
	void isNotLentAgainAfterATransactionThatCouldNotWrite() {
		OpenTransactions open = new OpenTransactions(this.pool, Patience.LONG);
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.pool));
		AtomicInteger used = new AtomicInteger();
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
				open.join();
				used.set(pid(this.jdbc));
				this.jdbc.execute("create table written ()");
			}))
			.withStackTraceContaining("in a read-only transaction");
		assertThat(pid(this.jdbc)).isNotEqualTo(used.get());
		assertThat(open.abort()).isZero();
	}

	/** Hibernate does that where it releases connections after transactions. */
	@Test
	void isNotLentAgainIfThePoolHasItAgainBeforeTheEnd() {
		OpenTransactions open = new OpenTransactions(this.pool, Patience.LONG);
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.pool));
		AtomicInteger used = new AtomicInteger();
		transaction.executeWithoutResult((status) -> {
			open.join();
			used.set(pid(this.jdbc));
			status.setRollbackOnly();
			EndingConnections.atTheEnd(this.pool, Connection::close);
		});
		await().ignoreExceptions().untilAsserted(() -> assertThat(pid(this.jdbc)).isNotEqualTo(used.get()));
		assertThat(open.abort()).isZero();
	}

	@Test
	void isNotLentAgainAfterASeparateTransactionThatCouldNotWrite() {
		SeparateTransactions transactions = new SeparateTransactions(this.pool);
		JdbcTemplate within = new JdbcTemplate(transactions.dataSource());
		AtomicInteger used = new AtomicInteger();
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> transactions.write(() -> {
			used.set(pid(within));
			return within.update("create table written ()");
		})).withStackTraceContaining("in a read-only transaction");
		assertThat(pid(this.jdbc)).isNotEqualTo(used.get());
	}

	@Test
	void isNotLentAgainAfterANewLeaseCouldNotBeWritten() {
		try (Leases leases = new Leases(this.pool, EventingSchema.defaults(), LeaseOptions.defaults())) {
			int used = pid(this.jdbc);
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> leases.tryAcquire("new"))
				.withStackTraceContaining("in a read-only transaction");
			assertThat(pid(this.jdbc)).isNotEqualTo(used);
		}
	}

	private static int pid(JdbcTemplate jdbc) {
		return Objects.requireNonNull(jdbc.queryForObject("select pg_backend_pid()", Integer.class));
	}

}
