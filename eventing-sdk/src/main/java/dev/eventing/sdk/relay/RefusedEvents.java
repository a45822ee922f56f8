package dev.eventing.sdk.relay;

/** What happens to a stream of the event store when one of its events is refused. */
public enum RefusedEvents {

	/**
	 * The later events of that stream are held until an operator retries the refused
	 * event or gives it up. This keeps their order.
	 */
	STOP_STREAM,

	/** Only the refused event is skipped. The stream continues without it. */
	SKIP

}
