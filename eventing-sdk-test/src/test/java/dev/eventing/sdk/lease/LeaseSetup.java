package dev.eventing.sdk.lease;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Nodes with one database, which compete for a lease. */
abstract class LeaseSetup {

	static final String NAME = "projector/orders";

	static final Duration DURATION = Duration.ofSeconds(1);

	@RegisterExtension
	final Fixture fixture = new Fixture();

	/** A separate one: the common pool may have one thread, which waits for the lease. */
	final ExecutorService threads = Executors.newCachedThreadPool();

	final HikariDataSource dataSource = pool(this.fixture.url());

	final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	final TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));

	@AfterEach
	void stopThreads() {
		this.threads.shutdown();
	}

	static Lease acquire(Leases leases) {
		return Objects.requireNonNull(leases.tryAcquire(NAME), "another node owns it");
	}

	/** As if the owner had not renewed it for its duration. */
	void expire() {
		CompletableFuture
			.runAsync(() -> this.jdbc.update("update eventing.leases set expires_at = '-infinity'"), this.threads)
			.join();
	}

	long count(String sql) {
		Long count = CompletableFuture.supplyAsync(() -> this.jdbc.queryForObject(sql, Long.class), this.threads)
			.join();
		return (count != null) ? count : 0;
	}

	Leases node(String name) {
		return node(name, DURATION);
	}

	Leases node(String name, Duration duration) {
		return node(name, this.dataSource, duration);
	}

	Leases node(String name, DataSource on, Duration duration) {
		return this.fixture.opened(new Leases(on, EventingSchema.defaults(), new LeaseOptions(name, duration)));
	}

	HikariDataSource pool(String url) {
		return this.fixture.pool(url, 16);
	}

	boolean isRenewed() {
		return isRenewed(DURATION);
	}

	/** Whether a lease of this duration was renewed since it was acquired. */
	boolean isRenewed(Duration duration) {
		return count("select count(*) from eventing.leases where expires_at > acquired_at + interval '"
				+ duration.toMillis() * 12 / 10 + " ms'") == 1;
	}

}
