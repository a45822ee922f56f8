package dev.eventing.sdk.idempotency;

/**
 * The events that wait outside {@code processed_events}, as dead letters do. No claim
 * gets them, and no pruning deletes their rows. Statements of this package see both sides
 * at one moment, so this gives them parts of SQL. Thread-safe.
 */
public interface HeldEvents {

	/**
	 * A condition, whether a projector has any rows of such events. Most projectors have
	 * none, so a statement can ask once before it looks events up.
	 * @param projector the projector's name, as SQL
	 */
	String any(String projector);

	/**
	 * A value that is true if the event is held, and false or null if not: a scalar
	 * subquery, which PostgreSQL never plans as a join, with one lookup in a unique
	 * index.
	 * @param projector the projector's name, as SQL; no column of an alias {@code d}
	 * @param tenant the tenant's id, likewise
	 * @param event the event's id, likewise
	 */
	String isHeld(String projector, String tenant, String event);

}
