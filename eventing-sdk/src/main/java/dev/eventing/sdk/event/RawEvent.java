package dev.eventing.sdk.event;

import java.util.Objects;

/**
 * An event as it is on the wire: what {@link EventReader} reads and {@link EventWriter}
 * writes.
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

	/** Omits the payload and header values, which may be confidential. */
	@Override
	public String toString() {
		return "RawEvent[subject=" + Quoted.plain(this.subject) + ", headers="
				+ this.headers.names().stream().map(Quoted::plain).toList() + ", bytes=" + this.payload.length + "]";
	}

}
