package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: readers wait behind a try of a switch for 50 ms at most, however many tables it
 * locks. PostgreSQL limits the wait for one lock, so what is left is set before each.
 */
class G11LockLimitIT extends BesideSetup {

	private static final long LIMIT_MILLIS = 50;

	/** How long the first lock takes, at least. */
	private static final Duration FIRST_LOCK = Duration.ofMillis(20);

	private final List<Try> tries = new CopyOnWriteArrayList<>();

	@Test
	void waitsForAllLiveTablesTogetherNoLongerThanForOne() {
		appendAll(1, 2);
		try (HikariDataSource pool = World.dataSource(this.world.jdbcUrl());
				AnnotationConfigApplicationContext application = startRecorded(pool)) {
			awaitVersions(2);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			this.world.whileHolding("lock table violations in access share mode", () -> {
				requestSwitch(2);
				await().until(() -> {
					if (status() == Status.FAILED) { // ten seconds may be over on a slow
														// machine
						requestSwitch(2);
					}
					return this.tries.stream().filter(Try::isWhole).count() >= 2;
				});
			});
			await().until(() -> status() != Status.PENDING);
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.tries).filteredOn(Try::isWhole).allSatisfy((each) -> {
			assertThat(each.first()).isBetween(1L, LIMIT_MILLIS);
			assertThat(each.second).as("after %d ms", each.firstTook)
				.isBetween(1L, Math.max(1, LIMIT_MILLIS - each.firstTook));
		});
	}

	private AnnotationConfigApplicationContext startRecorded(DataSource pool) {
		return this.world.start(WorldApplication.of(new Stored())
			.lease(Duration.ofSeconds(2))
			.customize((context) -> FaultyDataSource.install(context,
					new RecordedStatements(pool, this::before, this::after))));
	}

	private void before(String sql, String parameter) {
		if (!sql.contains("set_config('lock_timeout'")) {
			return;
		}
		long limit = Long.parseLong(parameter.replace("ms", ""));
		Try last = this.tries.isEmpty() ? null : this.tries.get(this.tries.size() - 1);
		if (last == null || last.firstTook == 0 || last.isWhole()) {
			this.tries.add(new Try(limit, System.nanoTime()));
		}
		else {
			last.second = limit;
		}
	}

	private void after(String sql, String parameter) {
		if (sql.startsWith("lock table public.account ")) {
			Try current = this.tries.get(this.tries.size() - 1);
			await().pollInterval(Duration.ofMillis(1)).until(() -> current.lasts().compareTo(FIRST_LOCK) >= 0);
			current.firstTook = current.lasts().toMillis();
		}
	}

	/** The limits that one try of a switch sets for its locks on the live tables. */
	private static final class Try {

		private final long first;

		private final long begunAt;

		private volatile long firstTook;

		private volatile long second;

		Try(long first, long begunAt) {
			this.first = first;
			this.begunAt = begunAt;
		}

		long first() {
			return this.first;
		}

		Duration lasts() {
			return Duration.ofNanos(System.nanoTime() - this.begunAt);
		}

		boolean isWhole() {
			return this.second > 0;
		}

	}

}
