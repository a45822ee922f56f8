package dev.eventing.sdk.liveview;

import dev.eventing.sdk.EventingException;

/**
 * Live views would be served to browsers, and nothing decides who may see them.
 */
public class UnguardedLiveViewsException extends EventingException {

	private static final long serialVersionUID = 1L;

	public UnguardedLiveViewsException() {
		super("'eventing.live-views.web.enabled' is true, but no bean decides who may see live views. Consider a bean of "
				+ "type '" + LiveViewAccess.class.getName() + "', or remove the property.");
	}

}
