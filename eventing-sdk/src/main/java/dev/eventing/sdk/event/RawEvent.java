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

	/** The header with the size of a body that a server left out. */
	static final String SIZE = "Nats-Msg-Size";

	/** The header with the reason why a server wrote a marker. */
	private static final String MARKER = "Nats-Marker-Reason";

	/** The header with the time at which a server is to publish the message. */
	private static final String SCHEDULE = "Nats-Schedule";

	/** The header with the subject to which a server is to publish the message then. */
	private static final String SCHEDULE_TARGET = "Nats-Schedule-Target";

	public RawEvent {
		Objects.requireNonNull(subject, "subject");
		Objects.requireNonNull(headers, "headers");
		Objects.requireNonNull(payload, "payload");
	}

	/**
	 * Whether a server may have left out the body, according to the headers: it writes
	 * the size of a body that it leaves out into a header. Publishers can set the header
	 * too. Also if there is no body and the headers cannot be read.
	 */
	public boolean isWithoutItsBody() {
		if (this.payload.length > 0) {
			return false;
		}
		String size = this.headers.first(SIZE);
		return this.headers.malformation() != null || (size != null && isPositive(size));
	}

	/**
	 * Whether a server wrote it into the stream to mark that the messages of a subject
	 * are gone, by age or by a request. It has no body and is no event. Publishers can
	 * set the header too, so what has the headers of an event is one.
	 */
	public boolean isMarker() {
		return this.payload.length == 0 && this.headers.first(MARKER) != null && !Attribute.areIn(this.headers);
	}

	/**
	 * Whether it tells the server to publish a message later. It is no event: what the
	 * server publishes is one, and has neither of these headers. To the server, the case
	 * of their names matters.
	 */
	public boolean isSchedule() {
		return this.headers.contains(SCHEDULE) && this.headers.contains(SCHEDULE_TARGET);
	}

	private static boolean isPositive(String number) {
		return number.chars().allMatch((digit) -> digit >= '0' && digit <= '9')
				&& number.chars().anyMatch((digit) -> digit != '0');
	}

	/** Omits the payload and header values, which may be confidential. */
	@Override
	public String toString() {
		return "RawEvent[subject=" + Quoted.plain(this.subject) + ", headers="
				+ this.headers.names().stream().map(Quoted::plain).toList() + ", bytes=" + this.payload.length + "]";
	}

}
