package dev.eventing.sdk.relay;

/** What happens to a stream of the event store when one of its events is refused. */
public enum RefusedEvents {

	/**
	 * The later events of that stream are held until somebody has the refused one
	 * published or gives it up: their order is kept.
	 */
	STOP_STREAM,

	/** Only the refused event is left out; the stream goes on without it. */
	SKIP

}
