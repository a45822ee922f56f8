package dev.eventing.sdk.event;

/** A way an event lies on the wire. Thread-safe. */
interface WireForm {

	/**
	 * Reads what the form tells about the event, flaws included. Never throws.
	 * @return the bytes of the event's own payload; empty if there is none
	 */
	byte[] read(RawEvent raw, Attributes attributes);

}
