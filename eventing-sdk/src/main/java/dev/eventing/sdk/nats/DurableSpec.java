package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What a projector needs of its durable consumer.
 *
 * @param projector the projector's name, for messages
 * @param stream the stream's name
 * @param name the durable's name
 * @param filterSubjects the subjects it delivers
 * @param ackWait how long the server waits for a settlement or a sign of life
 * @param maxAckPending how many deliveries may be unsettled at once
 * @param fromStart whether a new durable begins with the first event rather than the next
 * @param schema the identity of the database whose projector it is, or null: whosever
 */
public record DurableSpec(String projector, String stream, String name, Set<String> filterSubjects, Duration ackWait,
		int maxAckPending, boolean fromStart, @Nullable String schema) {

	/** A durable that nobody owns. */
	public DurableSpec(String projector, String stream, String name, Set<String> filterSubjects, Duration ackWait,
			int maxAckPending, boolean fromStart) {
		this(projector, stream, name, filterSubjects, ackWait, maxAckPending, fromStart, null);
	}

	/** The same, with these subjects. */
	public DurableSpec withFilterSubjects(Set<String> subjects) {
		return new DurableSpec(this.projector, this.stream, this.name, subjects, this.ackWait, this.maxAckPending,
				this.fromStart, this.schema);
	}

}
