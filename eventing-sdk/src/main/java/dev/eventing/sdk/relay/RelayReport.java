package dev.eventing.sdk.relay;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The status of a relay, as its thread reports it. One thread reports at a time, any may
 * read.
 */
final class RelayReport {

	private final RelayOptions options;

	private final RelayCounters counters;

	private final StallClock clock = new StallClock();

	/** When the relay's thread reported last, by {@link System#nanoTime}. */
	private volatile long reportedAt = System.nanoTime();

	private volatile RelayStatus last;

	RelayReport(RelayOptions options, RelayCounters counters) {
		this.options = options;
		this.counters = counters;
		this.last = new RelayStatus(options.name(), RelayState.STOPPED, "", now(), 0, 0, 0, counters.counts());
	}

	/** The relay has saved what it published, or has nothing to do. */
	void goesOn() {
		this.clock.goesOn();
	}

	/** A turn of a run of the relay begins. */
	void turns() {
		this.reportedAt = System.nanoTime();
	}

	/** How long the present turn has lasted. */
	Duration sinceTurn() {
		return Duration.ofNanos(System.nanoTime() - this.reportedAt);
	}

	Duration standsStillFor() {
		return this.clock.standsStillFor();
	}

	/** The relay publishes nothing in this state. */
	void is(RelayState state, String detail) {
		RelayStatus before = this.last;
		this.clock.is(state);
		this.last = new RelayStatus(before.relay(), state, detail, since(state), before.position(), 0,
				before.stoppedStreams(), before.counts());
	}

	/**
	 * A run of the relay is in this state.
	 * @param stoppedStreams the number of streams that are stopped
	 */
	void is(RelayState state, String detail, RelayRun run, int stoppedStreams) {
		turns();
		RelayStatus before = this.last;
		this.clock.is(state);
		if (before.state() != state || !before.detail().equals(detail) || before.position() != run.position()
				|| before.window() != run.size() || before.stoppedStreams() != stoppedStreams) {
			this.last = new RelayStatus(before.relay(), state, detail, since(state), run.position(), run.size(),
					stoppedStreams, before.counts());
		}
	}

	private Instant since(RelayState state) {
		return (this.last.state() == state) ? this.last.since() : now();
	}

	/**
	 * The status now.
	 * @param failure why the relay's thread has ended; null if it has not
	 * @param hangs the relay's thread if it hangs
	 * @param owned the lease that the relay holds, or null
	 * @param silent how long the relay has waited for an answer of the database
	 */
	RelayStatus status(@Nullable WorkerFailure failure, List<Stall> hangs, @Nullable Lease owned, Duration silent) {
		RelayStatus last = this.last;
		Duration standsStill = this.clock.isStalled(this.options.stalledAfter()) ? this.clock.standsStillFor() : null;
		RelaySigns.State state = new RelaySigns(new RelaySigns.State(last.state(), last.detail(), last.since()),
				standsStill, hangs.stream().findFirst().orElse(null), failure, silent,
				owned == null || owned.isCurrent())
			.state();
		return new RelayStatus(last.relay(), state.state(), state.detail(), state.since(), last.position(),
				last.window(), last.stoppedStreams(), this.counters.counts());
	}

	/**
	 * The state after a failure of the database. It ends by itself, unless somebody must
	 * change something for the relay's statements.
	 */
	static RelayState stateAfter(RuntimeException failure) {
		return (DatabaseFailure.lasting(failure) != null) ? RelayState.FAILED : RelayState.WAITING_FOR_DATABASE;
	}

	/** Why the relay was interrupted, as text for operators. */
	static String why(RuntimeException cause) {
		String lasting = DatabaseFailure.lasting(cause);
		if (lasting != null) {
			return lasting;
		}
		return isOfDatabase(cause) ? DatabaseFailure.brief(cause) : String.valueOf(cause.getMessage());
	}

	/** The texts that are not empty, as one. */
	static String joined(String... texts) {
		return Stream.of(texts).filter((text) -> !text.isEmpty()).collect(Collectors.joining(" "));
	}

	static boolean isOfDatabase(RuntimeException cause) {
		return cause instanceof DataAccessException || cause instanceof TransactionException;
	}

	private static Instant now() {
		return Clock.systemUTC().instant();
	}

}
