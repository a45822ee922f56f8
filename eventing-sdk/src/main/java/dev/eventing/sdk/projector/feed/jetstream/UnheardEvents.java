package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.SubjectFilters;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.delivery.Settler;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.feed.Coverage;
import org.jspecify.annotations.Nullable;

/**
 * Settles events to whose subject no handler of this node listens. The durable delivers
 * them for other versions of the projector, or because its filter matches more than any
 * version wants.
 *
 * <p>
 * A version that starts on another node may have recorded its subject a moment ago. So
 * nodes that compete look at the table after an event has arrived and before they ack it.
 * One look is for many events: they are held until the next one is due. What an earlier
 * look has found is never reason enough for an ack. For the thread of the intake.
 */
final class UnheardEvents {

	/** The next look is not earlier, unless many events are held. */
	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

	/** All are settled within a millisecond after the look. */
	private static final int MOST_HELD = 200;

	private static final long MOST_BYTES_HELD = 1_000_000;

	private final ProjectorEndpoint endpoint;

	private final SettledMessages messages;

	private final Coverage coverage;

	private final GivenBack givenBack;

	/** Less than what the durable may deliver before some are settled. */
	private final int mostHeld;

	private final List<Held> held = new ArrayList<>();

	private long bytesHeld;

	private long lookedAt = System.nanoTime() - BETWEEN_LOOKS.toNanos();

	/** The subjects of all versions, as far as this node knows. */
	private Set<String> recorded = Set.of();

	UnheardEvents(ProjectorEndpoint endpoint, SettledMessages messages, Coverage coverage, GivenBack givenBack) {
		this.endpoint = endpoint;
		this.messages = messages;
		this.coverage = coverage;
		this.givenBack = givenBack;
		this.mostHeld = Math.max(1, Math.min(endpoint.setting(ProjectorSettings::maxAckPending) / 2, MOST_HELD));
	}

	/** The durable was made ready, with the subjects of all versions. */
	void begin(DurableSpec ready) {
		this.recorded = ready.filterSubjects();
	}

	/**
	 * Takes an event: settles it or gives it back, or holds it until the next look. Then
	 * {@link #settleHeld} does so.
	 * @param first whether it is delivered for the first time
	 * @return whether it is settled
	 */
	boolean take(Work work, boolean first) {
		Held event = new Held(work.settler(), work.routed().source().subject(), first);
		if (this.endpoint.hasOneOwner() || matching(event.subject()) != null) {
			return settle(event);
		}
		this.held.add(event);
		this.bytesHeld += work.routed().source().size();
		return false;
	}

	/**
	 * Settles the events that are held, if a look at the table is due.
	 * @param idle whether no event has come: then nothing is gained by waiting
	 * @return whether one is settled; false if all were given back, or stay held
	 */
	boolean settleHeld(boolean idle) {
		if (this.held.isEmpty() || !(idle || isLookDue())) {
			return false;
		}
		// asked first, so that no request comes between the look and the acks
		if (!this.messages.areKept()) {
			this.messages.areInWorkQueue();
		}
		this.lookedAt = System.nanoTime();
		this.recorded = this.coverage.subjects(this.messages.spec().stream());
		boolean settled = false;
		for (Held event : this.held) {
			settled |= settle(event);
		}
		forgetHeld();
		return settled;
	}

	private boolean isLookDue() {
		return this.held.size() >= this.mostHeld || this.bytesHeld >= MOST_BYTES_HELD
				|| System.nanoTime() - this.lookedAt >= BETWEEN_LOOKS.toNanos();
	}

	/**
	 * Naks the events that are held: reading ends. They come again after the pause in
	 * which a node that has widened the filter records its subject.
	 */
	void giveBackHeld() {
		this.held.forEach((event) -> event.settler().nak(GivenBack.forOthers()));
		forgetHeld();
	}

	private void forgetHeld() {
		this.held.clear();
		this.bytesHeld = 0;
	}

	/**
	 * Acks an event that a later version can read again, or that no version wants. Naks
	 * one that another version wants and could not read again. Leaves a message of a work
	 * queue that no version wants unsettled: an ack would delete it for its own
	 * application. On other streams that keep nothing, acks it when it comes again: a
	 * node that has just widened the filter may not have recorded its subject yet.
	 */
	private boolean settle(Held event) {
		DurableSpec current = this.messages.spec();
		if (!this.endpoint.hasOneOwner() || !this.messages.areKept()) {
			String wanted = matching(event.subject());
			if (wanted != null) {
				event.settler().nak(GivenBack.forOthers());
				this.givenBack.note(wanted,
						"leaves events of '" + wanted
								+ "' to nodes that have a handler for them, because this node has none",
						GivenBack.FOR_OTHERS);
				return false;
			}
			if (!this.messages.areKept() && this.messages.areInWorkQueue()) {
				this.givenBack.note("",
						"does not settle messages of the work queue to which no version of it"
								+ " listens, such as of '" + event.subject() + "': another filter of durable '"
								+ current.name() + "' has taken them from others",
						current.ackWait());
				return false;
			}
			if (!this.messages.areKept() && event.first() && !this.endpoint.hasOneOwner()) {
				event.settler().nak(GivenBack.forOthers());
				return false;
			}
		}
		event.settler().acknowledge();
		return true;
	}

	/** The subject of a version that matches, or null. */
	private @Nullable String matching(String subject) {
		for (String filter : this.recorded) {
			if (SubjectFilters.covers(filter, subject)) {
				return filter;
			}
		}
		return null;
	}

	/** An event that is not settled yet. */
	private record Held(Settler settler, String subject, boolean first) {
	}

}
