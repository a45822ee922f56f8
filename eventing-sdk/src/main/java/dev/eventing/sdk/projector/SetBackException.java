package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * The stored position of a projector is smaller than the position that this node knows as
 * committed. So the database was restored to an earlier state: by a failover that lost
 * commits, by a backup, or by hand. The events that the node holds in memory may not
 * match the database any more. With ordering {@code NONE}, another node with new handlers
 * may also have moved the position back for them.
 */
public final class SetBackException extends EventingException {

	private static final long serialVersionUID = 1L;

	public SetBackException(String projector, String known, String stored) {
		super("The database was restored to an earlier state, or another node with ordering NONE moved the position back"
				+ " for new handlers: for projector '" + projector + "' the database has " + stored + ", but " + known
				+ " was committed. The projector reads the events in between again.");
	}

	/** Another server answers. Whether it lacks commits is unknown. */
	public SetBackException(String projector) {
		super("Another PostgreSQL server has taken over and may lack the last commits of the previous one: projector '"
				+ projector + "' reads all events after its saved position again.");
	}

}
