package dev.eventing.sdk.event;

import java.util.Objects;

/**
 * An event as it lies on the wire, before anything is known about it: what the codecs
 * read and write.
 *
 * @param subject the NATS subject
 * @param headers the NATS headers
 * @param payload the body; not copied, so it must not be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record RawEvent(String subject, EventHeaders headers, byte[] payload) {

	public RawEvent {
		Objects.requireNonNull(subject, "subject");
		Objects.requireNonNull(headers, "headers");
		Objects.requireNonNull(payload, "payload");
	}

	/** Never shows the payload or header values: they may be confidential. */
	@Override
	public String toString() {
		return "RawEvent[subject=" + Quoted.plain(this.subject) + ", headers="
				+ this.headers.names().stream().map(Quoted::plain).toList() + ", bytes=" + this.payload.length + "]";
	}

}
