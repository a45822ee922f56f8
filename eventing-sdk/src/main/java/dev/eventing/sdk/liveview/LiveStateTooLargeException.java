package dev.eventing.sdk.liveview;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.TenantId;

/**
 * An event would make a state larger than its view allows. The state stays as it was, and
 * the event is retried and becomes a dead letter.
 */
public class LiveStateTooLargeException extends EventingException {

	private static final long serialVersionUID = 1L;

	public LiveStateTooLargeException(TenantId tenant, String view, String key, long bytes, long limit) {
		super("The state of key '" + key + "' of tenant '" + tenant + "' in live view '" + view + "' would have "
				+ bytes + " bytes as JSON, more than its limit of " + limit
				+ ". Consider a finer key, a state that keeps less, or a higher maxStateBytes.");
	}

}
