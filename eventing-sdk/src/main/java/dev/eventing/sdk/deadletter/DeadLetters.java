package dev.eventing.sdk.deadletter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.lease.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * The operations on dead letters: list, redrive, discard and edit them. Each call runs in
 * one separate transaction on the caller's thread, and needs only the database. A redrive
 * is requested here. The application that has the handler runs it; see {@link #redriver}.
 * Thread-safe. Logs neither payloads nor headers.
 *
 * <p>
 * {@link #scopedTo} restricts the operations to one tenant. Callers can neither see nor
 * change the letters of other tenants through it.
 */
public interface DeadLetters {

	/** The largest page, in letters. */
	int MAX_PAGE = 1000;

	/** The most intervals of {@link #stats}. */
	int MAX_INTERVALS = 1000;

	/**
	 * Returns the same operations for the letters of one tenant.
	 * @throws IllegalArgumentException if this is already scoped to another tenant
	 */
	DeadLetters scopedTo(TenantId tenantId);

	/** The tenant that this is scoped to, or null for all tenants. */
	@Nullable TenantId scope();

	/**
	 * Returns a page of the letters that match, newest first.
	 * @param after {@code next} of the previous page, or null for the first page
	 * @param limit the most letters of the page, from 1 to {@value #MAX_PAGE}
	 * @throws IllegalArgumentException if the limit is out of bounds
	 */
	DeadLetterPage find(DeadLetterFilter filter, @Nullable Long after, int limit);

	/**
	 * Returns the oldest letters that match, oldest first.
	 * @param limit the most letters, from 1 to {@value #MAX_PAGE}
	 * @throws IllegalArgumentException if the limit is out of bounds
	 */
	List<DeadLetterSummary> oldest(DeadLetterFilter filter, int limit);

	/** Returns the number of letters that match. Reads all of them. */
	long count(DeadLetterFilter filter);

	/** Returns the whole letter. Empty if it does not exist in the scope. */
	Optional<DeadLetter> get(UUID letterId);

	/**
	 * Calls the action with each letter that matches, oldest first, inside a read-only
	 * transaction. Holds only some letters in memory at a time. An exception of the
	 * action ends the iteration.
	 */
	void forEach(DeadLetterFilter filter, Consumer<DeadLetter> action);

	/**
	 * Returns the actions on a letter, oldest first. Empty if the letter does not exist
	 * in the scope.
	 */
	List<AuditEntry> audit(UUID letterId);

	/**
	 * Returns counts of the letters that match. Reads all of them. Intervals begin at
	 * multiples of their length since 1970 in UTC, so the current interval is incomplete.
	 * @param interval the length of each interval, at least one second
	 * @param intervals the number of intervals up to now, at most {@value #MAX_INTERVALS}
	 * @throws IllegalArgumentException if the length or the number is out of bounds
	 */
	DeadLetterStats stats(DeadLetterFilter filter, Duration interval, int intervals);

	/**
	 * Returns what {@link #redrive} would select. Changes nothing and runs no handler.
	 */
	Redrive plan(DeadLetterFilter filter);

	/**
	 * Requests a redrive of the parked letters that match, and of all open letters of
	 * their keys. The application that has their handler runs them in order. The
	 * handler's changes, the letter's row in the ledger and the event's row in
	 * {@code processed_events} commit in one transaction. A letter that fails again stays
	 * parked, and so do the letters after it in its key. After a crash each letter is
	 * either resolved or still to be run.
	 *
	 * <p>
	 * Letters that another redrive is going to run stay in that redrive. The call waits
	 * for transactions that are parking events of the same keys. If no letter matches, it
	 * writes nothing.
	 */
	Redrive redrive(RedriveRequest request);

	/**
	 * Returns the progress of a redrive. Without letters if it belongs to another tenant.
	 */
	RedriveProgress progress(UUID redriveId);

	/**
	 * Returns the projectors of which letters of a redrive are still to be run, by name.
	 * Empty if it is over, or belongs to another tenant.
	 */
	List<String> waiting(UUID redriveId);

	/**
	 * Discards the open letters that match: their events count as processed and are never
	 * applied. The letters parked after them are redriven. The call waits for handlers
	 * that are running the letters. It does not discard the letters that these resolve.
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @return the number of discarded letters
	 * @throws IllegalArgumentException if the actor or the reason is blank
	 */
	long discard(DeadLetterFilter filter, String actor, String reason);

	/**
	 * As {@link #discard(DeadLetterFilter, String, String)}, unless more letters match
	 * than the caller has counted: a letter that fits later, or fails again, was not
	 * looked at.
	 * @param most the most letters that may be discarded
	 * @throws LettersChangedException if more match; nothing was changed
	 */
	long discard(DeadLetterFilter filter, long most, String actor, String reason);

	/** Returns how many letters {@link #discard} would discard. Changes nothing. */
	long planDiscard(DeadLetterFilter filter);

	/**
	 * Sets another payload for the redrives of a letter. The ledger keeps the original
	 * too.
	 * @param payload the payload, or null to use the original again. It must be JSON or
	 * empty if the letter's {@code Content-Type} is JSON. Without a {@code Content-Type},
	 * this holds if the original is JSON, or was rejected because it is not.
	 * @param actor the user who requests it, for the audit; not blank
	 * @param reason the reason, for the audit; not blank
	 * @throws UnknownDeadLetterException if the letter does not exist in the scope
	 * @throws DeadLetterClosedException if the letter is already resolved or discarded
	 * @throws InvalidPayloadException if the payload must be JSON and is not
	 * @throws IllegalArgumentException if the actor or the reason is blank
	 */
	void edit(UUID letterId, byte @Nullable [] payload, String actor, String reason);

	/**
	 * Returns the node that would run redrives of a projector now. Empty if no
	 * application with its handler is running. Reads the leases {@code projector/<name>}
	 * and {@code redrive/<name>}.
	 */
	Optional<LeaseHolder> redriver(String projector);

}
