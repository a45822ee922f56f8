package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * The database says of a projector's place less than this node knew to be committed: it
 * was set back, by a failover that lost commits, a restored backup, or by hand. What the
 * node holds in memory is of a database that is no more. With ordering {@code NONE} it
 * may also be another node that has new handlers, and began further back for them.
 */
public final class SetBackException extends EventingException {

	private static final long serialVersionUID = 1L;

	public SetBackException(String projector, String known, String stored) {
		super("The database was set back, or another node with ordering NONE began further back for new handlers: of"
				+ " projector '" + projector + "' it has " + stored + " where " + known
				+ " was committed. What lies between is read again.");
	}

	/** Nothing shows that commits are missing, and nothing that they are not. */
	public SetBackException(String projector) {
		super("Another PostgreSQL server has taken over, which may lack the last commits of the one before: projector '"
				+ projector + "' reads again what it has applied since it saved its place.");
	}

}
