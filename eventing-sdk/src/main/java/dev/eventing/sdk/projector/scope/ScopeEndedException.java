package dev.eventing.sdk.projector.scope;

import dev.eventing.sdk.EventingException;

/** The rebuild of a part ends before its commit, because it was cancelled or is over. */
final class ScopeEndedException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final boolean over;

	private ScopeEndedException(String why, boolean over) {
		super(why);
		this.over = over;
	}

	/** An operator has cancelled the request. */
	static ScopeEndedException ofRequest() {
		return new ScopeEndedException("The request was cancelled, or another one has taken its place.", true);
	}

	/** This node stops, or has lost the projector. The next owner does it. */
	static ScopeEndedException ofNode() {
		return new ScopeEndedException("This node stops the projector.", false);
	}

	/** Whether the request has ended. */
	boolean isOver() {
		return this.over;
	}

}
