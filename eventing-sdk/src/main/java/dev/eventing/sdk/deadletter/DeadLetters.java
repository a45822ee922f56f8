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
 * What an operator does with dead letters: look at them, redrive them, discard them. Each
 * call is one transaction of its own, on the caller's thread, and needs only the
 * database. A redrive is requested here and run by the application that has the handler;
 * see {@link #redriver}. Thread-safe; logs neither payloads nor headers.
 *
 * <p>
 * {@link #scopedTo} gives the same for one tenant: what belongs to others can neither be
 * seen nor changed through it, as if it was not there.
 */
public interface DeadLetters {

	/** The most letters a page holds. */
	int MAX_PAGE = 1000;

	/** The most intervals {@link #stats} counts by. */
	int MAX_INTERVALS = 1000;

	/**
	 * The letters of one tenant.
	 * @throws IllegalArgumentException if this is scoped to another one
	 */
	DeadLetters scopedTo(TenantId tenantId);

	/** The tenant this is scoped to, or null: all tenants. */
	@Nullable TenantId scope();

	/**
	 * Letters that fit, newest first.
	 * @param after what the page before gave as its {@code next}, or null for the first
	 * @param limit how many at most, up to {@value #MAX_PAGE}
	 * @throws IllegalArgumentException if the limit is out of its bounds
	 */
	DeadLetterPage find(DeadLetterFilter filter, @Nullable Long after, int limit);

	/** How many letters fit. Reads all of them. */
	long count(DeadLetterFilter filter);

	/** The letter with all there is of it; empty if it is out of reach. */
	Optional<DeadLetter> get(UUID letterId);

	/**
	 * Hands over each letter that fits with all there is of it, oldest first, inside a
	 * transaction that only reads. Holds some letters at a time, whatever their number.
	 * What the action throws ends it.
	 */
	void forEach(DeadLetterFilter filter, Consumer<DeadLetter> action);

	/** What was done to a letter, oldest first; empty for a letter out of reach. */
	List<AuditEntry> audit(UUID letterId);

	/**
	 * Counts of the letters that fit. Reads all of them. Intervals begin at multiples of
	 * their length since 1970 in UTC, so that the current one has only begun.
	 * @param interval how long each interval of the counts over time is, a second at
	 * least
	 * @param intervals how many of them, up to now, at most {@value #MAX_INTERVALS}
	 * @throws IllegalArgumentException if the interval or their number is out of bounds
	 */
	DeadLetterStats stats(DeadLetterFilter filter, Duration interval, int intervals);

	/** What {@link #redrive} would select; changes nothing and runs no handler. */
	Redrive plan(DeadLetterFilter filter);

	/**
	 * Requests a redrive. The letters that fit and are parked, and with them all open
	 * letters of their keys, are run in order by the application that has their handler,
	 * each in one transaction with its row in the ledger and in {@code processed_events}.
	 * A letter that fails again stays parked, and so do those behind it. A crash leaves
	 * each letter either resolved or to be run.
	 *
	 * <p>
	 * Letters that another redrive is about to run stay with that one. Waits for handlers
	 * that are parking events behind the letters. Where no letter fits nothing is
	 * written.
	 */
	Redrive redrive(RedriveRequest request);

	/** How far a redrive is; a redrive of another tenant has no letters. */
	RedriveProgress progress(UUID redriveId);

	/**
	 * Discards the open letters that fit: their events count as processed and are never
	 * applied. What was parked behind them is redriven. Waits for handlers that are
	 * running the letters; what they resolve is not discarded.
	 * @param actor who wants it, for the audit
	 * @param reason why, for the audit; not blank
	 * @return how many were discarded
	 * @throws IllegalArgumentException if the actor or the reason is blank
	 */
	long discard(DeadLetterFilter filter, String actor, String reason);

	/** How many letters {@link #discard} would discard; changes nothing. */
	long planDiscard(DeadLetterFilter filter);

	/**
	 * Gives a letter another payload for its redrives; the original stays beside it.
	 * @param payload the payload, or null: the original again. It must be JSON, or empty,
	 * if the letter's {@code Content-Type} is JSON; where there is none, if the original
	 * is, or was refused for being none
	 * @param actor who wants it, for the audit
	 * @param reason why, for the audit; not blank
	 * @throws UnknownDeadLetterException if there is no such letter within reach
	 * @throws DeadLetterClosedException if it was resolved or discarded before
	 * @throws InvalidPayloadException if it must be JSON and is not
	 * @throws IllegalArgumentException if the actor or the reason is blank
	 */
	void edit(UUID letterId, byte @Nullable [] payload, String actor, String reason);

	/**
	 * The node that would run redrives of a projector now; empty if no application with
	 * its handler is alive. Asks the leases {@code projector/<name>} and
	 * {@code redrive/<name>}.
	 */
	Optional<LeaseHolder> redriver(String projector);

}
