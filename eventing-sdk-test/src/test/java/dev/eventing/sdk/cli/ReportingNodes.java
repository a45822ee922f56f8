package dev.eventing.sdk.cli;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Nodes that a test has written down report every second that they are alive, as those
 * that run do, however long the commands of the test take. One that has not reported for
 * a minute stays silent.
 */
final class ReportingNodes implements AutoCloseable {

	private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

	private final Future<?> reporting;

	ReportingNodes(JdbcTemplate jdbc) {
		this.reporting = this.thread.scheduleWithFixedDelay(() -> jdbc.update("""
				update eventing.projector_nodes set reported_at = clock_timestamp()
				 where reported_at > clock_timestamp() - interval '50 seconds'"""), 1, 1, TimeUnit.SECONDS);
	}

	@Override
	public void close() {
		this.reporting.cancel(false);
		this.thread.shutdown();
	}

}
