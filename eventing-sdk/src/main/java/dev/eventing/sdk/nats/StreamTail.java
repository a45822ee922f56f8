package dev.eventing.sdk.nats;

import java.time.Instant;
import java.util.List;

/**
 * The end of a stream.
 *
 * @param stream its name
 * @param created when it was created; changes when the stream is recreated
 * @param subjects the subjects it carries
 * @param firstSequence the sequence of its first message
 * @param lastSequence the sequence of its last message, 0 if it never had one
 */
public record StreamTail(String stream, Instant created, List<String> subjects, long firstSequence, long lastSequence) {

	/** The end that the stream had before it gave this sequence to a message. */
	public StreamTail before(long sequence) {
		return (this.lastSequence < sequence) ? this
				: new StreamTail(this.stream, this.created, this.subjects, this.firstSequence, sequence - 1);
	}

	/** Whether a message published to this subject is stored in the stream. */
	public boolean carries(String subject) {
		return this.subjects.stream().anyMatch((filter) -> SubjectFilters.covers(filter, subject));
	}

}
