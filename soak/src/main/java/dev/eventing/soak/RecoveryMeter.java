package dev.eventing.soak;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.eventing.soak.judge.ReadModels;
import dev.eventing.soak.judge.Recoveries;
import dev.eventing.soak.judge.Recovery;
import dev.eventing.soak.judge.StallJudge;
import dev.eventing.soak.node.Moved;
import dev.eventing.soak.node.Projected;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Measures the recovery after a kill of the owner, ten times a second. It sends a fresh
 * event right after the kill, of an account none of whose events fail.
 */
final class RecoveryMeter implements AutoCloseable {

	/** What takes longer is given up, and counted as such. */
	private static final long LIMIT_SECONDS = 60;

	private static final int LOOK_MILLIS = 100;

	private static final List<String> PROJECTORS = Arrays.stream(Projected.values()).map(Projected::projector).toList();

	private final Servers servers;

	private final Loads loads;

	private final StallJudge judge;

	private final Log log;

	private final Recoveries recoveries = new Recoveries();

	private final ExecutorService thread = Executors.newSingleThreadExecutor();

	private final CountDownLatch never = new CountDownLatch(1);

	private @Nullable Future<?> measuring;

	RecoveryMeter(Servers servers, Loads loads, StallJudge judge, Log log) {
		this.servers = servers;
		this.loads = loads;
		this.judge = judge;
		this.log = log;
	}

	/** The owner has just been killed, and nothing else is wrong. */
	void ownerKilled() {
		long killed = System.nanoTime();
		this.measuring = this.thread.submit(() -> measure(killed));
	}

	/**
	 * Waits for the end of the measurement, so that the next fault does not disturb it.
	 */
	void await() throws InterruptedException {
		Future<?> last = this.measuring;
		this.measuring = null;
		if (last != null) {
			try {
				last.get();
			}
			catch (ExecutionException ex) {
				this.log.line("the recovery cannot be measured: " + ex.getCause());
			}
		}
	}

	List<String> lines() {
		return this.recoveries.lines();
	}

	private void measure(long killed) {
		Recovery recovery = new Recovery(PROJECTORS, killed);
		try (Connection connection = this.servers.connect()) {
			ReadModels readModels = new ReadModels(new JdbcTemplate(new SingleConnectionDataSource(connection, true)),
					Servers.HOSTILE_SUBJECT);
			look(recovery, readModels, killed + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
		}
		catch (SQLException | DataAccessException ex) {
			this.log.line("the recovery cannot be looked at any more: " + ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return;
		}
		this.recoveries.add(recovery);
		this.log.line("recovery: all projectors commit after " + seconds(recovery.commits())
				+ ", have applied a fresh event after " + seconds(recovery.fresh())
				+ (recovery.isOver() ? "" : "; " + recovery.missing()));
	}

	private void look(Recovery recovery, ReadModels readModels, long end) throws InterruptedException {
		ReadModels.Place killedAt = readModels.place();
		Future<Moved> appended = this.loads.appendFresh();
		Future<Moved> published = this.loads.publishFresh();
		while (!recovery.isOver() && System.nanoTime() < end) {
			Set<String> committed = readModels.committedSince(killedAt);
			Set<String> applied = new HashSet<>(applied(readModels, appended));
			applied.addAll(applied(readModels, published));
			recovery.look(System.nanoTime(), committed, applied, this.judge.heldUp());
			if (this.never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
				throw new IllegalStateException("nobody counts down");
			}
		}
	}

	private static Set<String> applied(ReadModels readModels, Future<Moved> fresh) throws InterruptedException {
		try {
			return fresh.isDone() ? readModels.applied(fresh.get()) : Set.of();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A load has ended.", ex);
		}
	}

	private static String seconds(@Nullable Duration duration) {
		return (duration != null) ? "%.1f s".formatted(duration.toMillis() / 1000.0)
				: "more than " + LIMIT_SECONDS + " s";
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
	}

}
