package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * The stored position of a projector is smaller than the position that this node knows as
 * committed. So the database was restored to an earlier state: by a failover that lost
 * commits, by a backup, or by hand. The events that the node holds in memory may not
 * match the database any more. With ordering {@code NONE}, another node with new handlers
 * may also have moved the position back for them. Or the position is not where its owner
 * left it. The projector reads again from what is stored.
 */
public final class SetBackException extends EventingException {

	private static final long serialVersionUID = 1L;

	private SetBackException(String message) {
		super(message);
	}

	/** A filling finds less in the database than was committed. */
	public static SetBackException inFilling(int generation, String projector, String known, String stored) {
		return new SetBackException("The database was restored to an earlier state while generation " + generation
				+ " of projector '" + projector + "' is filled: it has " + stored + ", but " + known
				+ " was committed. The projector reads again from what is stored.");
	}

	/**
	 * The database does not know of events that were handed out: it was restored to an
	 * earlier state, or its server crashed before it wrote the last handout.
	 */
	public static SetBackException handout(String projector, long known) {
		return new SetBackException("Events up to " + known + " were handed out to projector '" + projector
				+ "', and the database does not know that: it was restored to an earlier state, or its server crashed before it"
				+ " wrote it. The projector reads again from what is stored.");
	}

	/** The stored position is smaller than the one that was committed. */
	public static SetBackException below(String projector, String known, String stored) {
		return new SetBackException(
				"The database was restored to an earlier state, or another node with ordering NONE moved the position back"
						+ " for new handlers: for projector '" + projector + "' the database has " + stored + ", but "
						+ known + " was committed. The projector reads the events in between again.");
	}

	/** Another server answers. Whether it lacks commits is unknown. */
	public static SetBackException onAnotherServer(String projector) {
		return new SetBackException(
				"Another PostgreSQL server has taken over and may lack the last commits of the previous one: projector '"
						+ projector + "' reads all events after its saved position again.");
	}

	/**
	 * The checkpoint of a projector that reads the event store was changed by hand, or
	 * the database was restored. The transaction rolls back.
	 * @param known where its owner left it
	 * @param wanted where it was to move
	 */
	public static SetBackException moved(String projector, long known, long wanted) {
		return new SetBackException("Projector '" + projector + "' cannot move its checkpoint from position " + known
				+ " to " + wanted + ": the database no longer has position " + known
				+ ", or has lost the position in 'handed_out'. "
				+ "Either the database was restored to an earlier state, or the row in projector_checkpoints or "
				+ "projector_handouts was changed by hand.");
	}

}
