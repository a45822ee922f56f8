package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a stream has lost its end, for example after a power failure: it has fewer
 * sequences than the durable, the saved place or this node knows. The stream gives the
 * lost sequences to other events. The durable does not deliver these, or the coverage
 * counts them as handled. For the thread of the intake.
 */
final class LostTail {

	private static final Logger logger = LoggerFactory.getLogger(LostTail.class);

	/** How much the clocks of the servers may differ. */
	private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

	private final ProjectorId projector;

	private final Durables durables;

	private final DeliverySequence deliveries;

	/**
	 * The sequence delivered by the durable, if it is ahead and cannot be rewound; else
	 * 0.
	 */
	private long accepted;

	/**
	 * Whether it was noticed, and the durable is not rewound yet. Meanwhile the stream
	 * may grow, so that a new look would not notice it.
	 */
	private boolean noticed;

	LostTail(ProjectorId projector, Durables durables, DeliverySequence deliveries) {
		this.projector = projector;
		this.durables = durables;
		this.deliveries = deliveries;
	}

	/**
	 * Looks for it before the durable is read. Also notices that the sequence which
	 * arrived here last belongs to another event by now.
	 * @param settledTo the sequence up to which events count as settled, wherever the
	 * floor is
	 */
	boolean isNoticed(DurableSpec wanted, DurableState standing, @Nullable Saved saved, long settledTo) {
		Saved known = known(standing, saved);
		EventPlace latest = this.deliveries.latest();
		this.noticed = this.noticed || isSeen(standing, settledTo)
				|| (known != null && known.floor() > standing.lastInStream())
				|| (latest != null && this.durables.hasOther(wanted, latest));
		return this.noticed;
	}

	/** Whether it was noticed, and is not {@link #accept accepted} yet. */
	boolean isNoticed() {
		return this.noticed;
	}

	/**
	 * Looks for it while the durable is read.
	 * @param standing the durable, or null if there is none
	 * @param settledTo the sequence up to which events count as settled, wherever the
	 * floor is
	 * @throws DurableGoneException if the stream has lost its end
	 */
	void requireNone(@Nullable DurableState standing, long settledTo) {
		if (standing != null && (this.noticed || isSeen(standing, settledTo))) {
			this.noticed = true;
			throw new DurableGoneException(describe(standing, settledTo));
		}
	}

	/**
	 * Records the durable as it is after the rewind. A durable that cannot be rewound
	 * stays ahead. It delivers the events that the stream still holds, and nothing else
	 * can be done. Forgets the deliveries that arrived here, because the stream may not
	 * have them any more.
	 */
	void accept(DurableState standing) {
		this.noticed = false;
		this.deliveries.forgetLatest();
		this.accepted = standing.isAheadOfItsStream() ? end(standing) : 0;
	}

	private static long end(DurableState standing) {
		return Math.max(standing.floor(), standing.delivered());
	}

	private boolean isSeen(DurableState standing, long settledTo) {
		EventPlace latest = this.deliveries.latest();
		boolean ahead = standing.isAheadOfItsStream() && end(standing) > this.accepted;
		return ahead || settledTo > standing.lastInStream()
				|| (latest != null && latest.sequence() > standing.lastInStream());
	}

	/**
	 * The part of the stream that is left. Events on lost sequences were stored after the
	 * place was saved: while the stream lacks settled sequences, only a place before
	 * these events is saved.
	 */
	Rest rest(DurableSpec wanted, DurableState standing, @Nullable Saved saved, long settledTo) {
		Saved known = known(standing, saved);
		Rest rest = Rest.all(standing);
		if (known != null) {
			Instant savedAt = Instant.now().minus(known.age());
			long end = this.durables.before(wanted, savedAt.minus(CLOCKS_DIFFER), standing.lastInStream());
			rest = new Rest(end, Math.min(known.floor(), end));
		}
		logger.warn("Projector '{}': {} The projector reads the events after sequence {} again.", this.projector,
				describe(standing, settledTo), rest.floor());
		return rest;
	}

	private static @Nullable Saved known(DurableState standing, @Nullable Saved saved) {
		return (saved != null && saved.streamCreated().equals(standing.streamCreated())) ? saved : null;
	}

	private static String describe(DurableState standing, long settledTo) {
		return "Stream '%s' has lost its end, and ends with sequence %s now. It was read up to %s."
			.formatted(standing.stream(), standing.lastInStream(), Math.max(end(standing), settledTo));
	}

	/**
	 * The part of a stream that is left.
	 *
	 * @param end no sequence up to this one was given to another event
	 * @param floor the projector reads after this sequence, or an earlier one
	 */
	record Rest(long end, long floor) {

		static Rest all(DurableState standing) {
			return new Rest(standing.lastInStream(), standing.lastInStream());
		}

	}

}
