package dev.eventing.sdk.liveview;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.TenantId;

/** A live view has no state for a key. */
public class LiveStateNotFoundException extends EventingException {

	private static final long serialVersionUID = 1L;

	public LiveStateNotFoundException(TenantId tenant, String view, String key) {
		super("Live view '" + view + "' has no state for key '" + key + "' of tenant '" + tenant
				+ "'. Consider read, which returns an empty Optional, or whether the view has had the event.");
	}

}
