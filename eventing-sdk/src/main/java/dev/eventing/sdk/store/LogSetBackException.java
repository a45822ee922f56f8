package dev.eventing.sdk.store;

import java.util.UUID;

import dev.eventing.sdk.EventingException;

/**
 * The log is not the one that was read before: an event that was read is no longer at its
 * position, or a position was read that the sequence has not drawn. This happens when the
 * database was restored to an earlier state, for example by a failover to a replica that
 * lagged. Or the position of a relay is not where the relay left it. The reader must
 * determine again where to continue.
 */
public class LogSetBackException extends EventingException {

	private static final long serialVersionUID = 1L;

	/** The message names what was known, and what is stored. */
	public LogSetBackException(String message) {
		super(message);
	}

	static LogSetBackException without(long position, UUID eventId, String table) {
		return new LogSetBackException("Event " + eventId + ", read at position " + position + " of " + table
				+ ", no longer exists: the database was restored to an earlier state, or the event was "
				+ "deleted. Consider that all other changes since that state are lost too.");
	}

	static LogSetBackException behind(long position, long drawn, String table) {
		return new LogSetBackException(
				"Position " + position + " of " + table + " was read, but positions are drawn up to " + drawn
						+ " only: the database was restored to an earlier "
						+ "state. Consider that all other changes since that state are lost too.");
	}

}
