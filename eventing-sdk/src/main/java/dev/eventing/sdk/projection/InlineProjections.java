package dev.eventing.sdk.projection;

import java.util.Optional;

import dev.eventing.sdk.UnknownNameException;
import org.jspecify.annotations.Nullable;

/**
 * The operations on projectors whose handlers run in the transactions that append. Each
 * call runs in separate transactions on the caller's thread, and needs only the database.
 * Thread-safe.
 */
public interface InlineProjections {

	/**
	 * Returns what appends do for a projector; empty if no node has ever run it as an
	 * inline projector.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	Optional<InlineStatus> find(String projector);

	/**
	 * Demotes an inline projector on all nodes, until it is promoted: appends that begin
	 * from now on skip it, so its handlers cannot stop them. Its owner reads the event
	 * store, with retries and dead letters. If appends stay open, the call takes a few
	 * seconds, and its owner or another call completes it: until then each skipped event
	 * has a row in {@code projection_skips}.
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @return whether it was not demoted before
	 * @throws UnknownNameException if no inline projector of that name ever ran
	 * @throws IllegalArgumentException if the actor or the reason is blank
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	boolean demote(String projector, String actor, String reason);

	/**
	 * Lets a demoted projector become inline again, when it has all events and no open
	 * dead letter.
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit, or null
	 * @return whether it was demoted before
	 * @throws UnknownNameException if no inline projector of that name ever ran
	 * @throws IllegalArgumentException if the actor is blank
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	boolean promote(String projector, String actor, @Nullable String reason);

}
