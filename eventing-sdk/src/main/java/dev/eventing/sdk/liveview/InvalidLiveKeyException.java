package dev.eventing.sdk.liveview;

import dev.eventing.sdk.EventingException;

/**
 * A live view returned a key that cannot be stored, or was asked for one: it is empty,
 * has more than {@value #MAX_BYTES} bytes, or contains a character that the database
 * refuses.
 */
public class InvalidLiveKeyException extends EventingException {

	/** The most bytes of a key in UTF-8. */
	public static final int MAX_BYTES = 2048;

	private static final long serialVersionUID = 1L;

	public InvalidLiveKeyException(String view, String problem) {
		super("A key of live view '" + view + "' " + problem + ". Consider a key of 1 to " + MAX_BYTES
				+ " bytes in UTF-8. Where a view returns it, consider null for an event without interest.");
	}

}
