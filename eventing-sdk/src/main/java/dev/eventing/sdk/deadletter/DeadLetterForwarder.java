package dev.eventing.sdk.deadletter;

import org.springframework.context.SmartLifecycle;

/**
 * Publishes every dead letter to {@code dlq.<stream>.<projector>.<tenant>}, with what the
 * ledger knows in headers {@code Eventing-Dead-Letter-*}. It looks into the ledger for
 * letters without a confirmation, so that none is missed whatever crashes, and projectors
 * never wait for it. One node at a time does it, by the lease {@value #LEASE}. A crash
 * between a confirmation and its record publishes a letter again, which the stream drops
 * within its duplicate window. Letters come about in the order they were parked; one that
 * is not confirmed at once comes later. One that the stream can never take, such as one
 * whose headers alone are larger than it allows, is recorded as such and not tried again.
 * No letter holds up others, nor does a subject that no stream takes, one whose letters
 * are not confirmed, or a stream that does not answer; and only some megabytes of letters
 * are held at a time.
 */
public interface DeadLetterForwarder extends SmartLifecycle {

	/** The lease of the node that forwards. */
	String LEASE = "dead-letters/forwarder";

	/** What it is doing on this node; asks nobody. */
	ForwarderStatus status();

}
