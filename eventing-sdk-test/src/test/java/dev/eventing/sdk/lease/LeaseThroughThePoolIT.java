package dev.eventing.sdk.lease;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The pool has its connections, and something between it and the server opens no more: a
 * proxy with a limit, a firewall, a name that is not found any more.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaseThroughThePoolIT extends LeaseSetup {

	private static final int CONNECTIONS = 3;

	private static final String RENEWING = "datname = current_database() and application_name = 'eventing-leases'";

	private static final String NONE_OUTSIDE = "There is no connection 'eventing-leases' outside the pool (";

	private static final String OUTSIDE_AGAIN = "The connection 'eventing-leases' outside the pool is open again.";

	private final FaultProxy proxy = this.fixture.opened(FaultProxy.to(TestServers.postgres().port()));

	private final HikariDataSource own = pool(
			this.dataSource.getJdbcUrl().replace(":" + TestServers.postgres().port(), ":" + this.proxy.port()));

	/** The pool lets its callers wait longer than any test does. */
	@BeforeEach
	void fill() throws SQLException {
		this.own.setConnectionTimeout(Duration.ofMinutes(10).toMillis());
		this.own.setMaximumPoolSize(CONNECTIONS);
		this.own.setMinimumIdle(CONNECTIONS);
		try (Connection one = this.own.getConnection()) {
			assertThat(one.isValid(1)).isTrue();
		}
		await().until(() -> this.own.getHikariPoolMXBean().getTotalConnections() == CONNECTIONS);
	}

	@Test
	void isRenewedWhereThereIsNoConnectionMoreAndOutsideThePoolOnceThereIsOne(CapturedOutput output) {
		this.proxy.refuse();
		Lease lease = acquire(node("a", this.own, DURATION));
		await().until(this::isRenewed);
		Steady.holds("the lease is renewed", DURATION.multipliedBy(6), lease::isCurrent);
		assertThat(output).containsOnlyOnce(NONE_OUTSIDE).doesNotContain(OUTSIDE_AGAIN);
		assertThat(active()).isEqualTo(1);
		this.proxy.restore();
		await().untilAsserted(() -> assertThat(output).containsOnlyOnce(OUTSIDE_AGAIN));
		await("the pool has its connection back").until(() -> active() == 0 && renewing() == 1);
		assertThat(lease.isCurrent()).isTrue();
		assertThat(lease.isLost()).isFalse();
	}

	@Test
	void isRenewedFurtherWhereItsConnectionEndsAndThereIsNoOther() {
		Duration duration = DURATION.multipliedBy(4);
		Lease lease = acquire(node("a", this.own, duration));
		await().until(() -> isRenewed(duration) && renewing() == 1);
		this.proxy.refuse();
		count("select count(pg_terminate_backend(pid)) from pg_stat_activity where " + RENEWING);
		Steady.holds("the lease is renewed", duration.multipliedBy(2), lease::isCurrent);
		assertThat(renewing()).isZero();
	}

	@Test
	void isRenewedOutsideThePoolAgainWhileTheApplicationTakesTheWholePool() throws SQLException {
		Lease lease = acquire(node("a", this.own, DURATION));
		List<Connection> taken = takeAllAndEnd(lease);
		this.proxy.restore();
		await().until(lease::isCurrent);
		giveBack(taken);
		await("none is kept that came late").until(() -> active() == 0);
	}

	@Test
	void isRenewedOnceTheApplicationGivesAConnectionBack() throws SQLException {
		Leases a = node("a", this.own, DURATION);
		Lease lease = acquire(a);
		List<Connection> taken = takeAllAndEnd(lease);
		taken.remove(0).close();
		await().until(lease::isCurrent);
		giveBack(taken);
		await("one is kept").until(() -> active() == 1);
		a.close();
		await("none is kept").until(() -> active() == 0);
	}

	/** The lease is held, and there is no connection with which to renew it. */
	private List<Connection> takeAllAndEnd(Lease lease) throws SQLException {
		await().until(() -> renewing() == 1 && active() == 0);
		List<Connection> taken = takeAll();
		this.proxy.refuse();
		count("select count(pg_terminate_backend(pid)) from pg_stat_activity where " + RENEWING);
		await().until(() -> !lease.isCurrent());
		return taken;
	}

	private List<Connection> takeAll() throws SQLException {
		List<Connection> taken = new ArrayList<>();
		while (taken.size() < CONNECTIONS) {
			taken.add(this.own.getConnection());
		}
		return taken;
	}

	private static void giveBack(List<Connection> taken) throws SQLException {
		for (Connection each : taken) {
			each.close();
		}
	}

	private int active() {
		return this.own.getHikariPoolMXBean().getActiveConnections();
	}

	private long renewing() {
		return count("select count(*) from pg_stat_activity where " + RENEWING);
	}

}
