package dev.eventing.sdk.nats;

import java.time.Instant;
import java.util.List;

/**
 * A stream as a log that is read by sequence.
 *
 * @param stream its name
 * @param created when it was created; changes when the stream is recreated
 * @param firstSequence the sequence of its first message
 * @param lastSequence the sequence of its last message, 0 if it never had one
 * @param gaps why it need not have all events that were ever published to it, each with
 * what to change; empty if it has all
 */
public record StreamLog(String stream, Instant created, long firstSequence, long lastSequence, List<String> gaps) {

	public StreamLog {
		gaps = List.copyOf(gaps);
	}

}
