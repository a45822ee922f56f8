package dev.eventing.sdk.projector.feed.store;

import java.util.Collection;
import java.util.function.Consumer;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.projector.transaction.GenerationFailedException;
import dev.eventing.sdk.projector.transaction.LedgerClaims;
import org.jspecify.annotations.Nullable;

/**
 * The database's records of the events of a filling.
 *
 * @param live the letters of the live generation, with the decisions of operators
 * @param own the records of the filled generation; the same if that is the live one
 * @param claims the claims that events have from before; null beside the live generation
 * @param passedBy takes the events that no handler takes, in a transaction
 * @param firsts finds the events that a stream has twice; null for the event store
 * @param whenComplete runs in the transaction that completes the filling of the live
 * generation
 * @param tidy deletes what is not needed any more beside the live generation, in a
 * transaction, from time to time
 */
public record FillRecords(RebuiltLetters live, RebuiltLetters own, @Nullable LedgerClaims claims,
		Consumer<Collection<EventKey>> passedBy, @Nullable FillingClaims firsts, Runnable whenComplete, Runnable tidy) {

	/** With more open letters a generation beside the live one is not worth a switch. */
	private static final int MOST_LETTERS = 1000;

	/**
	 * Looks how many letters the filled generation has, in the caller's transaction.
	 * @throws GenerationFailedException if there are too many
	 */
	void requireFewLetters() {
		if (this.own.open() > MOST_LETTERS) {
			throw new GenerationFailedException("More than " + MOST_LETTERS + " of its events became dead letters.");
		}
	}

}
