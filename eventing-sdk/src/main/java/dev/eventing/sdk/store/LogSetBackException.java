package dev.eventing.sdk.store;

import dev.eventing.sdk.EventingException;

/**
 * The log is not the one that was read so far: an event that was handed out is no longer
 * at its position, or positions beyond those drawn were handed out. So it is after the
 * database was set back to an earlier point, as by a failover to a replica that lagged.
 * Whoever reads has to look anew where to go on.
 */
public class LogSetBackException extends EventingException {

	private static final long serialVersionUID = 1L;

	private LogSetBackException(String message) {
		super(message);
	}

	static LogSetBackException without(LogTable.Anchor anchor, String table) {
		return new LogSetBackException("Event " + anchor.eventId() + ", read at position " + anchor.position() + " of "
				+ table + ", is no longer there: the database was set back to an earlier point, or the event was "
				+ "deleted. Consider what else was written since that point, as it is lost too.");
	}

	static LogSetBackException behind(long position, long drawn, String table) {
		return new LogSetBackException(
				"Position " + position + " of " + table + " was read, and positions are drawn up to " + drawn
						+ " only: the database was set back to an earlier "
						+ "point. Consider what else was written since that point, as it is lost too.");
	}

}
