package dev.eventing.sdk.projector.feed.jetstream;

import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.CoveragePlan;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import dev.eventing.sdk.projector.feed.jetstream.LostTail.Rest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Decides where reading continues, by the state of the server and the database. For the
 * thread of the intake.
 */
final class Continuations {

	private static final Logger logger = LoggerFactory.getLogger(Continuations.class);

	/** Why the saved floor is lower after a process was killed. */
	private static final String DIED = "A process died before it saved its floor.";

	private static final String CHANGED = "The database was set back, or the durable was changed by hand.";

	private final ProjectorEndpoint endpoint;

	private final Durables durables;

	private final Coverage coverage;

	private final LostTail lostTail;

	Continuations(ProjectorEndpoint endpoint, Durables durables, Coverage coverage, LostTail lostTail) {
		this.endpoint = endpoint;
		this.durables = durables;
		this.coverage = coverage;
		this.lostTail = lostTail;
	}

	/**
	 * Returns where reading continues.
	 * @param standing the durable as it is now
	 */
	Continuation next(DurableSpec wanted, DurableState standing, Facts facts) {
		Saved saved = facts.saved();
		long settledTo = facts.anew() ? 0 : this.coverage.settledTo(wanted.stream());
		boolean lost = this.lostTail.isNoticed(wanted, standing, saved, settledTo);
		Rest rest = lost ? this.lostTail.rest(wanted, standing, saved, settledTo) : Rest.all(standing);
		long floor = Math.min(beginning(standing, facts), rest.floor());
		boolean storedIsLost = lost && (settledTo > rest.end() || (saved != null && floor < saved.floor()));
		if (facts.begun() && !facts.anew() && !storedIsLost) {
			return new Continuation(this.coverage.resumed(floor), false, lost);
		}
		CoveragePlan plan = this.coverage
			.plan(wanted.stream(), facts.anew(), floor, (subject) -> this.durables.beforeFirst(wanted, subject))
			.endingWith(rest.end());
		return new Continuation(plan, true, lost);
	}

	/**
	 * Returns the sequence after which to read. A database that was set back lacks
	 * effects of events that the durable has settled. The saved floor is also a little
	 * lower than the durable's after a crash, and while other nodes compete.
	 */
	private long beginning(DurableState standing, Facts facts) {
		Saved saved = facts.saved();
		boolean same = saved != null && saved.streamCreated().equals(standing.streamCreated());
		if (saved == null || !same || (saved.floor() >= standing.floor() && !facts.changedByHand())) {
			return standing.floor();
		}
		if (!facts.setBack() && !facts.changedByHand() && (facts.begun() || facts.othersWatch())) {
			return standing.floor();
		}
		boolean expected = !facts.setBack() && !facts.changedByHand() && !saved.cleanStop();
		logger.atLevel(expected ? Level.INFO : Level.WARN)
			.log("Projector '{}': durable '{}' has floor {} in stream '{}', but the database has only {}. {} The projector"
					+ " reads again after the lower one.", this.endpoint.name(), this.endpoint.durableName(),
					standing.floor(), standing.stream(), saved.floor(), expected ? DIED : CHANGED);
		return saved.floor();
	}

	/**
	 * How reading continues.
	 *
	 * @param plan after which sequence, and which skipped events are read again
	 * @param begins whether the plan is new, and must be stored
	 * @param lost whether the stream has lost its end
	 */
	record Continuation(CoveragePlan plan, boolean begins, boolean lost) {
	}

	/**
	 * What this node knows before it reads.
	 *
	 * @param saved what the database has of the stream, or null
	 * @param begun whether this node has read before
	 * @param anew whether the stream is another one than before
	 * @param setBack whether the database was set back while this node ran the projector
	 * @param changedByHand whether the durable was changed or made by others
	 * @param othersWatch whether other nodes compare the floor with what they saved
	 */
	record Facts(@Nullable Saved saved, boolean begun, boolean anew, boolean setBack, boolean changedByHand,
			boolean othersWatch) {
	}

}
