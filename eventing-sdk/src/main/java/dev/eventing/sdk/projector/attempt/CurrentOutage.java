package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.ToldCauses;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outage that a projector waits out now, for its status and the log. The cause may
 * change before the wait is over, for example from a server that is away to a missing
 * right: the status has the last cause, and the log has each cause once. The outage lasts
 * until all lanes have ended their waits: one lane may continue while another cannot.
 * Thread-safe.
 */
final class CurrentOutage {

	private static final Logger logger = LoggerFactory.getLogger(CurrentOutage.class);

	/** An outage that begins this soon after another one continues it. */
	private static final Duration SAME = Duration.ofSeconds(10);

	private final ProjectorId projector;

	private final ToldCauses told = new ToldCauses();

	private final Set<Object> waiting = new HashSet<>();

	private volatile @Nullable TransientFailure current;

	/** When the current outage began, by {@link System#nanoTime}. */
	private volatile long beganAt;

	private volatile @Nullable Outage last;

	CurrentOutage(ProjectorId projector) {
		this.projector = projector;
	}

	@Nullable TransientFailure current() {
		return this.current;
	}

	/**
	 * The projector waits because of this failure.
	 * @param who the action that waits; calls {@link #over} when its wait has ended
	 * @param own whether one of the SDK's own statements failed
	 * @return whether the failure lasts until somebody changes something
	 */
	synchronized boolean met(Object who, Throwable failure, boolean own) {
		Throwable cause = (failure instanceof OwnStatementException && failure.getCause() != null) ? failure.getCause()
				: failure;
		Throwable original = FailureClassifier.original(cause);
		String lasting = own ? DatabaseFailure.lasting(original) : null;
		this.waiting.add(who);
		TransientFailure before = this.current;
		if (before == null) {
			begin();
		}
		this.current = new TransientFailure((before != null) ? before.since() : Instant.now(),
				(lasting != null) ? lasting : DatabaseFailure.brief(original), lasting != null);
		if (this.told.isNew(original)) {
			log(original, lasting);
		}
		return lasting != null;
	}

	private void begin() {
		long now = System.nanoTime();
		Outage before = this.last;
		this.beganAt = (before != null && now - before.endedAt() < SAME.toNanos()) ? before.beganAt() : now;
	}

	private void log(Throwable cause, @Nullable String lasting) {
		if (lasting != null) {
			logger.error("Projector '{}' cannot go on: {}. It tries again until it can. No attempt is counted.",
					this.projector, lasting);
			return;
		}
		logger.warn("Projector '{}' waits for its database: {}. No attempt is counted.", this.projector,
				DatabaseFailure.brief(cause));
	}

	/** Ends the wait of an action. The outage is over when no action waits. */
	synchronized void over(Object who) {
		if (this.waiting.remove(who) && this.waiting.isEmpty()) {
			this.last = new Outage(this.beganAt, System.nanoTime());
			this.current = null;
			this.told.clear();
			logger.info("Projector '{}' goes on: its database answers.", this.projector);
		}
	}

	/**
	 * Adds the length of the last outage to a duration, if the outage ended less than
	 * that duration ago.
	 */
	Duration added(Duration duration) {
		Outage outage = this.last;
		return (outage != null && System.nanoTime() - outage.endedAt() < duration.toNanos())
				? duration.plusNanos(outage.endedAt() - outage.beganAt()) : duration;
	}

	/** An outage that ended, in {@link System#nanoTime} time. */
	private record Outage(long beganAt, long endedAt) {
	}

}
