package dev.eventing.sdk.deadletter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import javax.sql.DataSource;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.lease.LeaseHolder;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

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
@SuppressWarnings("DoNotCallSuggester")
public final class DeadLetters {

	/** The most letters a page holds. */
	public static final int MAX_PAGE = 1000;

	private final @Nullable TenantId scope;

	/**
	 * Looks at no database yet.
	 * @param dataSource where the SDK's tables are
	 * @param schema the schema they are in
	 * @param json writes and reads the headers
	 */
	public DeadLetters(DataSource dataSource, EventingSchema schema, JsonMapper json) {
		this(null);
	}

	private DeadLetters(@Nullable TenantId scope) {
		this.scope = scope;
	}

	/** The letters of one tenant. */
	public DeadLetters scopedTo(TenantId tenantId) {
		return new DeadLetters(tenantId);
	}

	/** The tenant this is scoped to, or null: all tenants. */
	public @Nullable TenantId scope() {
		return this.scope;
	}

	/**
	 * Letters that fit, newest first.
	 * @param after what the page before gave as its {@code next}, or null for the first
	 * @param limit how many at most, up to {@value #MAX_PAGE}
	 */
	public DeadLetterPage find(DeadLetterFilter filter, @Nullable Long after, int limit) {
		throw new UnsupportedOperationException();
	}

	/** How many letters fit. */
	public long count(DeadLetterFilter filter) {
		throw new UnsupportedOperationException();
	}

	/** The letter with all there is of it. */
	public Optional<DeadLetter> get(UUID letterId) {
		throw new UnsupportedOperationException();
	}

	/** What was done to a letter, oldest first; empty for a letter out of reach. */
	public List<AuditEntry> audit(UUID letterId) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Counts of the letters that fit.
	 * @param interval how long each interval of the counts over time is
	 * @param intervals how many of them, up to now
	 */
	public DeadLetterStats stats(DeadLetterFilter filter, Duration interval, int intervals) {
		throw new UnsupportedOperationException();
	}

	/** What {@link #redrive} would select; changes nothing and runs no handler. */
	public Redrive plan(DeadLetterFilter filter) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Requests a redrive. The letters that fit and are parked, and with them all open
	 * letters of their keys, are run in order by the application that has their handler,
	 * each in one transaction with its row in the ledger and in {@code processed_events}.
	 * A letter that fails again stays parked, and so do those behind it. A crash leaves
	 * each letter either resolved or to be run.
	 */
	public Redrive redrive(RedriveRequest request) {
		throw new UnsupportedOperationException();
	}

	/** How far a redrive is; a redrive of another tenant has no letters. */
	public RedriveProgress progress(UUID redriveId) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Discards the open letters that fit: their events count as processed and are never
	 * applied. What was parked behind them is redriven.
	 * @param actor who wants it, for the audit
	 * @param reason why, for the audit; not blank
	 * @return how many were discarded
	 */
	public long discard(DeadLetterFilter filter, String actor, String reason) {
		throw new UnsupportedOperationException();
	}

	/** How many letters {@link #discard} would discard; changes nothing. */
	public long planDiscard(DeadLetterFilter filter) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Gives a letter another payload for its redrives; the original stays beside it.
	 * @param payload the payload, or null: the original again
	 * @param actor who wants it, for the audit
	 * @param reason why, for the audit; not blank
	 * @throws UnknownDeadLetterException if there is no such letter within reach
	 * @throws DeadLetterClosedException if it was resolved or discarded before
	 */
	public void edit(UUID letterId, byte @Nullable [] payload, String actor, String reason) {
		throw new UnsupportedOperationException();
	}

	/**
	 * The node that would run redrives of a projector now; empty if no application with
	 * its handler is alive. Asks the leases {@code projector/<name>} and
	 * {@code redrive/<name>}.
	 */
	public Optional<LeaseHolder> redriver(String projector) {
		throw new UnsupportedOperationException();
	}

}
