package dev.eventing.sdk.projector.feed.jetstream;

import java.util.Objects;
import java.util.Set;

import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.nats.SubjectFilters;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.feed.Coverage;
import org.jspecify.annotations.Nullable;

/**
 * Settles events to whose subject no handler of this node listens. The durable delivers
 * them for other versions of the projector, or because its filter matches more than any
 * version wants. For the thread of the intake.
 */
final class UnheardEvents {

	private final ProjectorEndpoint endpoint;

	private final Durables durables;

	private final Coverage coverage;

	private final GivenBack givenBack;

	private @Nullable DurableSpec spec;

	/** The subjects of all versions, as far as this node knows. */
	private Set<String> recorded = Set.of();

	/** Whether settled events can be read again; null if that was not asked yet. */
	private @Nullable Boolean keptByStream;

	/** Whether the stream is a work queue; null if that was not asked yet. */
	private @Nullable Boolean inWorkQueue;

	UnheardEvents(ProjectorEndpoint endpoint, Durables durables, Coverage coverage, GivenBack givenBack) {
		this.endpoint = endpoint;
		this.durables = durables;
		this.coverage = coverage;
		this.givenBack = givenBack;
	}

	/** The durable was made ready, with the subjects of all versions. */
	void begin(DurableSpec ready) {
		this.spec = ready;
		this.recorded = ready.filterSubjects();
		this.keptByStream = null;
		this.inWorkQueue = null;
	}

	/**
	 * Acks an event that a later version can read again, or that no version wants. Naks
	 * one that another version wants and could not read again. Leaves a message of a work
	 * queue that no version wants unsettled: an ack would delete it for its own
	 * application. On other streams that keep nothing, acks it when it comes again: a
	 * node that has just widened the filter may not have recorded its subject yet.
	 * @param first whether it is delivered for the first time
	 * @return whether it is settled
	 */
	boolean settle(Work work, boolean first) {
		DurableSpec current = Objects.requireNonNull(this.spec);
		if (!this.endpoint.hasOneOwner() || !isKept(current)) {
			String subject = work.routed().source().subject();
			String wanted = recorded(current, subject);
			if (wanted != null) {
				work.settler().nak(GivenBack.forOthers());
				this.givenBack.note(wanted,
						"leaves events of '" + wanted + "' to nodes that have a handler for them, as this one has not",
						GivenBack.FOR_OTHERS);
				return false;
			}
			if (!isKept(current) && isInWorkQueue(current)) {
				this.givenBack.note("",
						"does not settle messages of the work queue to which no version of it"
								+ " listens, such as of '" + subject + "', which another filter of durable '"
								+ current.name() + "' has taken: they belong to others",
						current.ackWait());
				return false;
			}
			if (!isKept(current) && first && !this.endpoint.hasOneOwner()) {
				work.settler().nak(GivenBack.forOthers());
				return false;
			}
		}
		work.settler().acknowledge();
		return true;
	}

	private boolean isKept(DurableSpec current) {
		Boolean known = this.keptByStream;
		if (known == null) {
			known = this.durables.keepsWhatIsSettled(current);
			this.keptByStream = known;
		}
		return known;
	}

	private boolean isInWorkQueue(DurableSpec current) {
		Boolean known = this.inWorkQueue;
		if (known == null) {
			known = this.durables.isInWorkQueue(current);
			this.inWorkQueue = known;
		}
		return known;
	}

	/**
	 * The subject of a version that matches, or null. A version that starts on another
	 * node may have recorded one a moment ago.
	 */
	private @Nullable String recorded(DurableSpec current, String subject) {
		String matching = matching(subject);
		if (matching == null && !this.endpoint.hasOneOwner()) {
			this.recorded = this.coverage.subjects(current.stream());
			matching = matching(subject);
		}
		return matching;
	}

	private @Nullable String matching(String subject) {
		for (String filter : this.recorded) {
			if (SubjectFilters.covers(filter, subject)) {
				return filter;
			}
		}
		return null;
	}

}
