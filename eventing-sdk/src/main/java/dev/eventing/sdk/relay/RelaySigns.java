package dev.eventing.sdk.relay;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a relay show, and the state that follows from it. Several signs may
 * be there at once: {@link #ORDER} is the order in which they count.
 *
 * @param last the state that the relay's thread has reported
 * @param standsStill for how long events have waited, if that is too long, or null
 * @param hangs the relay's thread, if it hangs, or null
 * @param failure why the relay's thread begins again, or null
 * @param silent how long the database has let it wait
 * @param leaseIsCurrent whether no other node can publish, or there is no lease
 */
record RelaySigns(State last, @Nullable Duration standsStill, @Nullable Stall hangs, @Nullable WorkerFailure failure,
		Duration silent, boolean leaseIsCurrent) {

	private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);

	/**
	 * The first sign that is there decides. A stall stands first: it lasts until
	 * something is saved, however often the relay begins again, and whatever it waits for
	 * meanwhile. Waits for the database stand last.
	 */
	private static final List<Function<RelaySigns, @Nullable State>> ORDER = List.of(RelaySigns::standingStill,
			RelaySigns::hanging, RelaySigns::restarting, RelaySigns::unanswered, RelaySigns::withoutLease);

	/** The state of the relay. */
	State state() {
		return ORDER.stream().map((sign) -> sign.apply(this)).filter(Objects::nonNull).findFirst().orElse(this.last);
	}

	private @Nullable State standingStill() {
		return (this.standsStill != null) ? new State(RelayState.STALLED,
				("Nothing has been published for " + this.standsStill.toSeconds() + " s though events wait. "
						+ ((this.failure != null) ? this.failure.describe() : this.last.detail()))
					.strip(),
				this.last.since()) : null;
	}

	private @Nullable State hanging() {
		return (this.hangs != null) ? new State(RelayState.STALLED, this.hangs.describe(), before(this.hangs.lasts()))
				: null;
	}

	private @Nullable State restarting() {
		return (this.failure != null) ? new State(RelayState.RESTARTING, this.failure.describe(), this.failure.at())
				: null;
	}

	private @Nullable State unanswered() {
		boolean waits = isRunning() && this.silent.compareTo(ANSWERS_WITHIN) >= 0;
		return waits
				? new State(RelayState.WAITING_FOR_DATABASE,
						"PostgreSQL has not answered for " + this.silent.toSeconds() + " s.", before(this.silent))
				: null;
	}

	private @Nullable State withoutLease() {
		return (isRunning() && !this.leaseIsCurrent)
				? new State(RelayState.WAITING_FOR_DATABASE,
						"The lease was not renewed in time. Nothing is published until it is.", this.last.since())
				: null;
	}

	private boolean isRunning() {
		return this.last.state() == RelayState.RUNNING;
	}

	private static Instant before(Duration time) {
		return Clock.systemUTC().instant().minus(time);
	}

	/**
	 * A state.
	 *
	 * @param detail more about it, as text for operators
	 * @param since when it began
	 */
	record State(RelayState state, String detail, Instant since) {
	}

}
