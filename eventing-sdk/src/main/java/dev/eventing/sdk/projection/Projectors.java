package dev.eventing.sdk.projection;

import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.UnknownNameException;
import org.jspecify.annotations.Nullable;

/**
 * The operations on projectors, on whichever nodes these run. Each call runs in one
 * separate transaction on the caller's thread, and needs only the database: the same from
 * an application, the command line and HTTP. Nodes look for changes once a second.
 * Thread-safe.
 */
public interface Projectors {

	/** How many actions an audit has, if nothing else is said. */
	int AUDIT = 100;

	/** The most actions that one call returns. */
	int MAX_AUDIT = 10_000;

	/**
	 * Returns all projectors that run or ever ran on this database, by name. For a
	 * projector that reads the event store it counts up to 10,000 unread events.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	List<ProjectorOverview> list();

	/**
	 * Returns one projector; empty if none of that name ever ran on this database.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	Optional<ProjectorOverview> find(String name);

	/**
	 * Pauses a projector on all nodes, until it is resumed: it takes no further events,
	 * and completes those it holds. Restarts and takeovers change nothing about that. If
	 * it is paused already, only actor and reason change.
	 * @param actor the user who requests it, for status and audit; not blank
	 * @param reason the reason, for status and audit; not blank
	 * @return whether it was not paused before
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws IllegalArgumentException if the actor or the reason is blank
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	boolean pause(String name, String actor, String reason);

	/**
	 * Ends a pause. Does nothing if the projector is not paused.
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit, or null
	 * @return whether it was paused before
	 * @throws UnknownNameException if no projector of that name ever ran
	 * @throws IllegalArgumentException if the actor is blank
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	boolean resume(String name, String actor, @Nullable String reason);

	/**
	 * Returns the last {@value #AUDIT} actions on a projector, oldest first.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	default List<ProjectionAuditEntry> audit(String name) {
		return audit(name, AUDIT);
	}

	/**
	 * Returns the last actions on a projector, oldest first.
	 * @param limit their number, from 1 to {@value #MAX_AUDIT}
	 * @throws IllegalArgumentException if the limit is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	List<ProjectionAuditEntry> audit(String name, int limit);

}
