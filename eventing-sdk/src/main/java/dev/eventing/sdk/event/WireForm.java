package dev.eventing.sdk.event;

/** A format of an event on the wire. Thread-safe. */
interface WireForm {

	/**
	 * Reads the event's attributes and records errors. Never throws.
	 * @return the bytes of the event's payload; empty if there is none
	 */
	byte[] read(RawEvent raw, Attributes attributes);

}
