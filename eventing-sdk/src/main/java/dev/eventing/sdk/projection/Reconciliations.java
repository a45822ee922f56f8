package dev.eventing.sdk.projection;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.UnknownNameException;
import org.jspecify.annotations.Nullable;

/**
 * Compares read models with their events. An application declares the checks with
 * {@link Reconciliation}. Thread-safe.
 */
public interface Reconciliations {

	/** Returns the checks of this application, by name. */
	List<ReconciliationCheck> checks();

	/**
	 * Runs a check on the caller's thread, and stores the result. The check runs in one
	 * transaction at repeatable read that only reads, on a separate connection: it sees
	 * the read model, the events and the projector's position at one point in time, and
	 * no work of the caller's transaction. It takes no lock that a projector waits for.
	 *
	 * <p>
	 * The result has an error, and no differences, if there is no answer: the projector
	 * has no position in the event store, its read model is being filled, it reads events
	 * of new handlers again, or the query fails or takes too long.
	 * @param check the name of a check of this application
	 * @param actor who runs it; not blank
	 * @throws UnknownNameException if the application has no such check
	 * @throws IllegalArgumentException if the actor is blank
	 * @throws org.springframework.dao.DataAccessException if the result cannot be stored
	 */
	ReconciliationResult run(String check, String actor);

	/**
	 * Returns how long a run of a check takes at most: its time-out, and some seconds,
	 * for each bucket.
	 * @param check the name of a check of this application
	 * @throws UnknownNameException if the application has no such check
	 */
	Duration timeLimit(String check);

	/**
	 * Runs a check on the caller's thread against a generation beside the live one, as
	 * before a switch, and stores the result. The tables of the generation come first in
	 * the search path, so the query meets them if it names them without a schema. The SQL
	 * function {@code applied_events} returns the events of the generation.
	 *
	 * <p>
	 * The result has an error, and no differences, for the same reasons as for the live
	 * generation. A generation that is fed from the event store has no answer while some
	 * of its lanes are ahead of others: it is at rest while a switch is made, or nothing
	 * is appended.
	 * @param check the name of a check of this application
	 * @param generation the number of the generation
	 * @param actor who runs it; not blank
	 * @param patience how long each bucket of the check waits for the generation to be at
	 * rest; zero for not at all
	 * @throws UnknownNameException if the application has no such check
	 * @throws IllegalArgumentException if the actor is blank
	 * @throws org.springframework.dao.DataAccessException if the result cannot be stored
	 */
	ReconciliationResult runBeside(String check, int generation, String actor, Duration patience);

	/** As with a patience of zero. */
	default ReconciliationResult runBeside(String check, int generation, String actor) {
		return runBeside(check, generation, actor, Duration.ZERO);
	}

	/**
	 * Compares the live generation of a projector's read model with the one beside it,
	 * table by table, on the caller's thread, and stores the result. It compares in one
	 * snapshot, in which both have settled exactly the same events. It waits for such a
	 * moment. If both read the event store, and events flow, it holds both for a few
	 * seconds, so that they come to it. Rows are compared by their primary keys, in the
	 * columns that both have.
	 *
	 * <p>
	 * The result has an error if there is no {@code READY} or {@code STANDBY} generation,
	 * no such moment, or a query fails.
	 * @param projector the projector's name
	 * @param actor who runs it; not blank
	 * @param patience how long to wait for such a moment
	 * @throws IllegalArgumentException if the actor is blank
	 * @throws org.springframework.dao.DataAccessException if the result cannot be stored
	 */
	GenerationDiff diff(String projector, String actor, Duration patience);

	/**
	 * As the other method, at the request of an operator. The audit of the projector has
	 * it.
	 * @param projector the projector's name
	 * @param actor who runs it; not blank
	 * @param reason why; null if none is given
	 * @param patience how long to wait for such a moment
	 * @throws IllegalArgumentException if the actor is blank
	 * @throws org.springframework.dao.DataAccessException if the result cannot be stored
	 */
	GenerationDiff diff(String projector, String actor, @Nullable String reason, Duration patience);

	/**
	 * Returns the last result of a check on the live generation, whichever node ran it;
	 * empty if there is none.
	 * @param check the name of a check of this application
	 * @throws UnknownNameException if the application has no such check
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	Optional<ReconciliationResult> last(String check);

	/**
	 * Returns the results of all checks of a projector, the newest first: of each check
	 * the last 100.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	List<ReconciliationResult> results(String projector);

}
