package dev.eventing.sdk.lease;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Steady;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A lease is renewed on separate connections, whatever the application does. */
class LeaseRenewalIT extends LeaseSetup {

	@Test
	void isRenewedForAsLongAsItIsHeld() {
		Lease lease = acquire(node("a"));
		Leases b = node("b");
		Instant first = b.holder(NAME).orElseThrow().expiresAt();
		await().until(() -> b.holder(NAME).orElseThrow().expiresAt().isAfter(first.plus(DURATION.multipliedBy(2))));
		assertThat(b.tryAcquire(NAME)).isNull();
		assertThat(lease.isCurrent()).isTrue();
	}

	@Test
	void noticesByRenewingThatItIsLost() {
		Lease lease = acquire(node("a"));
		Leases b = node("b");
		await("before it is renewed again").until(() -> {
			expire();
			return b.tryAcquire(NAME) != null;
		});
		await().until(lease::isLost);
	}

	@Test
	void renewingDoesNotWaitForTheOwnersTransactions() {
		Lease lease = acquire(node("a"));
		Leases b = node("b");
		this.transactions.executeWithoutResult((status) -> {
			lease.requireOwned();
			Instant first = b.holder(NAME).orElseThrow().expiresAt();
			await().until(() -> b.holder(NAME).orElseThrow().expiresAt().isAfter(first.plus(DURATION)));
		});
		assertThat(lease.isLost()).isFalse();
	}

	@Test
	void renewsTheOthersWhileSomebodyHoldsTheRowOfOne() {
		Leases a = node("a");
		Lease held = acquire(a);
		Lease other = Objects.requireNonNull(a.tryAcquire("relay/default"));
		this.transactions.executeWithoutResult((status) -> {
			this.jdbc.queryForList("select 1 from eventing.leases where lease_name = ? for update", NAME);
			await().until(() -> !held.isCurrent());
			Steady.holds("the other lease is renewed", DURATION.dividedBy(2), other::isCurrent);
			assertThat(held.isLost()).isFalse();
		});
		await().until(held::isCurrent);
	}

	@Test
	void survivesAnOutageOfTheDatabase() {
		PostgresServer server = this.fixture.opened(PostgresServer.start());
		HikariDataSource own = pool(server.createDatabase());
		new SchemaInitializer(own, EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
		own.setConnectionTimeout(1000);
		Leases a = node("a", own, DURATION);
		Lease lease = acquire(a);
		server.kill();
		await().until(() -> !lease.isCurrent());
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> a.tryAcquire("projector/others"));
		server.restart();
		await().until(lease::isCurrent);
		assertThat(lease.isLost()).isFalse();
		// renewals have their own connection; the pool may still pause after its
		// failures
		await().ignoreExceptionsInstanceOf(DataAccessException.class)
			.untilAsserted(() -> assertThat(a.holder(NAME).orElseThrow().epoch()).isEqualTo(1));
	}

	@Test
	void isRenewedThoughTheApplicationTakesTheWholePool() throws Exception {
		HikariDataSource small = pool(this.dataSource.getJdbcUrl());
		small.setMaximumPoolSize(2);
		Lease lease = acquire(node("a", small, DURATION));
		await().until(this::isRenewed);
		try (Connection one = small.getConnection(); Connection two = small.getConnection()) {
			assertThat(List.of(one, two)).hasSize(2);
			Steady.holds(DURATION.multipliedBy(2), lease::isCurrent);
		}
	}

	@Test
	void isRenewedAgainSoonAfterAllConnectionsFellSilent() {
		try (FaultProxy proxy = FaultProxy.to(TestServers.postgres().port())) {
			HikariDataSource own = pool(
					this.dataSource.getJdbcUrl().replace(":" + TestServers.postgres().port(), ":" + proxy.port()));
			Leases a = node("a", own, DURATION);
			Lease lease = acquire(a);
			proxy.swallow();
			Stopwatch.time(() -> await().until(() -> !lease.isCurrent())).assertWithin(Duration.ofSeconds(3));
			proxy.restore();
			Stopwatch.time(() -> await().until(lease::isCurrent)).assertWithin(Duration.ofSeconds(5));
			assertThat(lease.isLost()).isFalse();
		}
	}

	@Test
	void isRenewedInTimeThoughItsConnectionFellSilent() {
		try (FaultProxy proxy = FaultProxy.to(TestServers.postgres().port())) {
			HikariDataSource own = pool(
					this.dataSource.getJdbcUrl().replace(":" + TestServers.postgres().port(), ":" + proxy.port()));
			// a sixth of it is left after the silence, in which a busy machine renews it
			Duration duration = DURATION.multipliedBy(6);
			Lease lease = acquire(node("a", own, duration));
			await().until(() -> isRenewed(duration));
			proxy.swallow();
			proxy.restore();
			Steady.holds(duration.multipliedBy(2), lease::isCurrent);
		}
	}

	@Test
	void leavesNoStatementBehindThatWaitsForLongerThanItsLeaseLasts() {
		acquire(node("a", this.dataSource, Duration.ofMillis(500)));
		await().until(this::isRenewed);
		this.transactions.executeWithoutResult((status) -> {
			this.jdbc.execute("lock table eventing.leases in access exclusive mode");
			Steady.holds(Duration.ofSeconds(2), () -> count("""
					select count(*) from pg_stat_activity
					 where datname = current_database() and application_name = 'eventing-leases'""") <= 2);
		});
	}

	@Test
	void worksWithAPoolWhoseConnectionsDoNotCommitByThemselvesAndGivesThemBackAsTheyWere() throws SQLException {
		List<Connection> lent = new CopyOnWriteArrayList<>();
		DataSource manual = new AbstractDriverBasedDataSource() {

			@Override
			protected Connection getConnectionFromDriver(Properties properties) {
				SingleConnectionDataSource keeping = new SingleConnectionDataSource(
						LeaseRenewalIT.this.dataSource.getJdbcUrl(), "postgres", "", true);
				keeping.setAutoCommit(false);
				LeaseRenewalIT.this.fixture.opened(keeping);
				try {
					Connection connection = keeping.getConnection();
					lent.add(connection);
					return connection;
				}
				catch (SQLException ex) {
					throw new IllegalStateException(ex);
				}
			}

		};
		Leases a = node("a", manual, DURATION.multipliedBy(6));
		Lease lease = acquire(a);
		await().until(() -> count(
				"select count(*) from eventing.leases where expires_at > acquired_at + interval '9 s'") == 1);
		assertThat(lease.isLost()).isFalse();
		a.close();
		assertThat(lent).hasSizeGreaterThan(2);
		for (Connection each : lent) {
			assertThat(each.getAutoCommit()).isFalse();
			assertThat(each.getNetworkTimeout()).isZero();
		}
	}

}
