package dev.eventing.sdk.liveview;

import dev.eventing.sdk.OperatorMustActException;

/** The definition of a live view, or an option, is not valid. */
public class InvalidLiveViewException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	public InvalidLiveViewException(String message) {
		super(message);
	}

}
