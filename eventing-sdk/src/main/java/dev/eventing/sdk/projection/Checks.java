package dev.eventing.sdk.projection;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The checks of read models, for operators. Each call is one or two transactions of its
 * own, and needs only the database: it also works where no check is declared. Nodes that
 * have the checks run them; see {@link Reconciliations}. Thread-safe.
 */
public interface Checks {

	/**
	 * Returns the last result of each check of a projector, by name: those on the live
	 * generation, and on the one beside it.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	List<ReconciliationResult> lastOfEach(String projector);

	/**
	 * Requests that a node runs checks now. The audit of the projector has the request.
	 * @param projector the projector's name
	 * @param check the name of the check; null for all that a node has
	 * @param actor who requests it; not blank
	 * @param reason why, for the audit; null if none is given
	 * @param patience how long the request waits for a node, from one second to 30 days
	 * @return the request's id, in {@code projection_check_requests}
	 * @throws IllegalArgumentException if the actor is blank, or the patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	UUID request(String projector, @Nullable String check, String actor, @Nullable String reason, Duration patience);

	/**
	 * Requests that a node runs checks now against a generation beside the live one, as
	 * before a switch, and changes nothing. The results have the number of the
	 * generation. The audit of the projector has the request.
	 * @param projector the projector's name
	 * @param generation the number of the generation
	 * @param check the name of the check; null for all that a node has
	 * @param actor who requests it; not blank
	 * @param reason why, for the audit; null if none is given
	 * @param patience how long the request waits for a node, from one second to 30 days
	 * @return the request's id, in {@code projection_check_requests}
	 * @throws RequestRefusedException if the generation is not {@code READY} beside the
	 * live one
	 * @throws IllegalArgumentException if the actor is blank, or the patience is another
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	UUID requestBeside(String projector, int generation, @Nullable String check, String actor, @Nullable String reason,
			Duration patience);

}
