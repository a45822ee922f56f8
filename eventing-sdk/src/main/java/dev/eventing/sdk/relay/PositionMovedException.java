package dev.eventing.sdk.relay;

import dev.eventing.sdk.EventingException;

/**
 * The database is not as the relay left it: its position was moved, or an event before it
 * is gone. The relay has to look anew where it stands.
 */
class PositionMovedException extends EventingException {

	private static final long serialVersionUID = 1L;

	PositionMovedException(String relay, long known, long wanted) {
		super("The position of relay '" + relay + "' was to move from " + known + " to " + wanted
				+ ", but it is not at " + known
				+ " any more, or the last event before it is gone: the database was set "
				+ "back, or somebody has changed it. Consider stopping a relay before its row is changed by hand.");
	}

}
