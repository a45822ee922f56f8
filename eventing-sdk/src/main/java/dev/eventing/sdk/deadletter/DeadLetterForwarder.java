package dev.eventing.sdk.deadletter;

/**
 * Publishes every dead letter to {@code dlq.<stream>.<projector>.<tenant>}, with the
 * ledger's data in headers {@code Eventing-Dead-Letter-*}. It reads from the ledger the
 * letters that the stream has not confirmed. So no crash loses a letter, and projectors
 * never wait for the forwarder. One node at a time forwards, under the lease
 * {@value #LEASE}.
 *
 * <p>
 * After a crash between a confirmation and its record, a letter is published again. The
 * stream drops this duplicate within its duplicate window. Letters are published roughly
 * in the order in which they were parked. A letter that is not confirmed at once is
 * published again later. A letter that the stream can never accept, for example because
 * its headers alone are too large, is recorded as such and not tried again. No letter
 * delays others. Nor does a subject that no stream carries, a subject whose letters are
 * not confirmed, or a stream that does not answer. The forwarder holds only some
 * megabytes of letters at a time.
 */
public interface DeadLetterForwarder {

	/** The name of the lease of the node that forwards. */
	String LEASE = "dead-letters/forwarder";

	/** The status on this node. Sends no request to a server. */
	ForwarderStatus status();

}
