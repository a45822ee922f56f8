package dev.eventing.sdk.relay;

import dev.eventing.sdk.EventingException;

/**
 * The database has changed: the relay's position was moved, or an event before it is
 * gone. The relay must determine its position again.
 */
class PositionMovedException extends EventingException {

	private static final long serialVersionUID = 1L;

	PositionMovedException(String relay, long known, long wanted) {
		super("The position of relay '" + relay + "' was to move from " + known + " to " + wanted
				+ ", but it is not at " + known
				+ " any more, or the last event before it is gone: the database was restored to an earlier state, "
				+ "or its row was changed by hand. Consider stopping a relay before you change its row.");
	}

}
