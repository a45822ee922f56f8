package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.CoveragePlan;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of one of several nodes that compete for the deliveries of a durable. It
 * keeps no order, so it does not care what is on its way to the others. They may be of
 * versions with different filters, so it compares the filter only when it makes the
 * durable ready.
 */
final class SharedStart extends StreamStart {

	private static final Logger logger = LoggerFactory.getLogger(SharedStart.class);

	/** Nodes that compete for events save their common floor more often than this. */
	private static final Duration OTHERS_SAVE_WITHIN = Duration.ofSeconds(15);

	/** Whether the database was set back, and the durable is not rewound yet. */
	private boolean setBack;

	/**
	 * New subjects of which the stream had no event when this node planned to read them.
	 * Kept until the durable is ready.
	 */
	private final Set<String> newSubjects = new HashSet<>();

	SharedStart(FeedContext context, JdbcPositions positions, Coverage coverage) {
		super(context, positions, coverage, new DeliverySequence(false));
	}

	/** No node is the only one that hands events out. */
	@Override
	PreviousOwnerState previousOwner() {
		return PreviousOwnerState.NONE;
	}

	/** The events in memory are applied, or are recognised as duplicates. */
	@Override
	boolean isSetBack(String stream) {
		try {
			this.floor.look(stream);
		}
		catch (SetBackException ex) {
			logger.warn("{}", ex.getMessage());
			this.setBack = true;
		}
		return this.setBack;
	}

	@Override
	void isReady() {
		super.isReady();
		this.setBack = false;
		this.newSubjects.clear();
	}

	/** These nodes compare the floor with what they saved themselves. */
	@Override
	boolean othersWatch(Saved saved) {
		return saved.age().compareTo(OTHERS_SAVE_WITHIN) < 0;
	}

	@Override
	boolean hasOtherFilter() {
		return false;
	}

	@Override
	DurableState awaitEndOfRequests(DurableSpec wanted, DurableState reconciled) {
		return reconciled;
	}

	@Override
	long readsBehind(CoveragePlan plan) {
		return plan.from();
	}

	@Override
	boolean endsAtNewerEvents() {
		return false;
	}

	/**
	 * The durable delivers events of a new subject from the moment it has the filter,
	 * also to nodes that do not find the subject yet and acknowledge them.
	 */
	@Override
	long missed(DurableSpec wanted) {
		if (this.newSubjects.isEmpty() || !this.durables.keepsWhatIsSettled(wanted)) {
			return CoveragePlan.NO_EVENT;
		}
		return this.newSubjects.stream()
			.mapToLong((subject) -> this.durables.beforeFirst(wanted, subject))
			.min()
			.orElse(CoveragePlan.NO_EVENT);
	}

	@Override
	void beginsToRead(DurableState standing, CoveragePlan plan) {
		this.newSubjects.addAll(plan.withoutEvents());
	}

	@Override
	void beginsIncarnation() {
	}

	@Override
	boolean meets(DurableState standing, long from, boolean cleanStop) {
		return false;
	}

	/** Always compares: no lease tells that the database is unreachable. */
	@Override
	@Nullable DurableState save(DurableSpec current, boolean cleanStop) {
		// another node may save a higher floor after this look
		boolean again = isSetBack(current.stream());
		DurableState standing = whole(current, cleanStop);
		if (standing == null) {
			return null;
		}
		Saved stored = this.floor.known();
		if (again && stored != null && stored.floor() < standing.floor()) {
			requireRemembered(current, stored.floor());
			this.durables.rewind(current, stored.floor());
			this.floor.forgetStorePosition();
		}
		else {
			this.floor.save(standing, cleanStop);
		}
		this.setBack = false;
		return standing;
	}

	/** It is not known what the other nodes hold. */
	@Override
	@Nullable Long settledTo() {
		return null;
	}

}
