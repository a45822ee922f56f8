package dev.eventing.sdk.projector.failure;

/** The side that caused a failure within a handler's transaction. */
public enum Blame {

	/** The event: the database did what it was asked to, or may not do it. */
	EVENT,

	/** The database as a whole, or transactions that conflict. */
	DATABASE,

	/**
	 * The event or the database: a session ended, or a lock was not to be had. The same
	 * error comes from a server that restarts and from a handler that takes longer than
	 * driver, pooler or server allow. Whether the database is well tells them apart.
	 */
	EITHER

}
