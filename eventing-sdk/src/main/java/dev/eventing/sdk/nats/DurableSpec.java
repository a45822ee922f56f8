package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.Set;

import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;

/**
 * The properties that a projector requires of its durable consumer.
 *
 * @param projector the projector, for error texts and logs
 * @param stream the stream's name
 * @param name the durable's name
 * @param filterSubjects the subjects it delivers
 * @param ackWait how long the server waits for a settlement or a sign of progress
 * @param maxAckPending how many deliveries may be unsettled at the same time
 * @param fromStart whether a new durable starts with the first event instead of the next
 * one
 * @param schema the identity of the projector's database, or null for a durable that
 * belongs to no database
 */
public record DurableSpec(ProjectorId projector, String stream, String name, Set<String> filterSubjects,
		Duration ackWait, int maxAckPending, boolean fromStart, @Nullable String schema) {

	/** A durable that belongs to no database. */
	public DurableSpec(ProjectorId projector, String stream, String name, Set<String> filterSubjects, Duration ackWait,
			int maxAckPending, boolean fromStart) {
		this(projector, stream, name, filterSubjects, ackWait, maxAckPending, fromStart, null);
	}

	/** The same properties with these subjects. */
	public DurableSpec withFilterSubjects(Set<String> subjects) {
		return new DurableSpec(this.projector, this.stream, this.name, subjects, this.ackWait, this.maxAckPending,
				this.fromStart, this.schema);
	}

}
