package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.Set;

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
 */
public record DurableSpec(String projector, String stream, String name, Set<String> filterSubjects, Duration ackWait,
		int maxAckPending, boolean fromStart) {
}
