package dev.eventing.sdk.deadletter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.lease.LeaseHolder;
import dev.eventing.sdk.lease.LeaseHolders;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;

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
public final class DeadLetters {

	/** The most letters a page holds. */
	public static final int MAX_PAGE = 1000;

	/** What operators ask for may be about a hundred thousand letters. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	/** The most intervals {@link #stats} counts by. */
	public static final int MAX_INTERVALS = 1000;

	private final Desk desk;

	private final @Nullable TenantId scope;

	/**
	 * Looks at no database yet.
	 * @param dataSource where the SDK's tables are
	 * @param schema the schema they are in
	 * @param json writes and reads the headers
	 */
	public DeadLetters(DataSource dataSource, EventingSchema schema, JsonMapper json) {
		this(Desk.of(dataSource, schema, json), null);
	}

	private DeadLetters(Desk desk, @Nullable TenantId scope) {
		this.desk = desk;
		this.scope = scope;
	}

	/**
	 * The letters of one tenant.
	 * @throws IllegalArgumentException if this is scoped to another one
	 */
	public DeadLetters scopedTo(TenantId tenantId) {
		if (this.scope != null && !this.scope.equals(tenantId)) {
			throw new IllegalArgumentException("What is scoped to tenant '" + this.scope
					+ "' cannot be scoped to tenant '" + tenantId + "'. Consider beginning with what has no scope.");
		}
		return new DeadLetters(this.desk, tenantId);
	}

	/** The tenant this is scoped to, or null: all tenants. */
	public @Nullable TenantId scope() {
		return this.scope;
	}

	/**
	 * Letters that fit, newest first.
	 * @param after what the page before gave as its {@code next}, or null for the first
	 * @param limit how many at most, up to {@value #MAX_PAGE}
	 * @throws IllegalArgumentException if the limit is out of its bounds
	 */
	public DeadLetterPage find(DeadLetterFilter filter, @Nullable Long after, int limit) {
		if (limit < 1 || limit > MAX_PAGE) {
			throw new IllegalArgumentException("'limit' must be 1 to " + MAX_PAGE + ", was " + limit + ".");
		}
		return this.desk.read(() -> this.desk.queries.page(fit(filter), after, limit));
	}

	/** How many letters fit. Reads all of them. */
	public long count(DeadLetterFilter filter) {
		return this.desk.read(() -> this.desk.queries.count(fit(filter)));
	}

	/** The letter with all there is of it; empty if it is out of reach. */
	public Optional<DeadLetter> get(UUID letterId) {
		return this.desk.read(() -> this.desk.queries.find(fit(letterId)));
	}

	/**
	 * Hands over each letter that fits with all there is of it, oldest first, inside a
	 * transaction that only reads. Holds some letters at a time, whatever their number.
	 * What the action throws ends it.
	 */
	public void forEach(DeadLetterFilter filter, Consumer<DeadLetter> action) {
		this.desk.read(() -> {
			this.desk.queries.each(fit(filter), action);
			return filter;
		});
	}

	/** What was done to a letter, oldest first; empty for a letter out of reach. */
	public List<AuditEntry> audit(UUID letterId) {
		return this.desk.read(() -> this.desk.queries.audit(fit(letterId)));
	}

	/**
	 * Counts of the letters that fit. Reads all of them. Intervals begin at multiples of
	 * their length since 1970 in UTC, so that the current one has only begun.
	 * @param interval how long each interval of the counts over time is, a second at
	 * least
	 * @param intervals how many of them, up to now, at most {@value #MAX_INTERVALS}
	 * @throws IllegalArgumentException if the interval or their number is out of bounds
	 */
	public DeadLetterStats stats(DeadLetterFilter filter, Duration interval, int intervals) {
		if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new IllegalArgumentException("'interval' must be a second at least, was " + interval + ".");
		}
		if (intervals < 1 || intervals > MAX_INTERVALS) {
			throw new IllegalArgumentException(
					"'intervals' must be 1 to " + MAX_INTERVALS + ", was " + intervals + ".");
		}
		return this.desk.read(() -> this.desk.statistics.of(fit(filter), interval, intervals));
	}

	/** What {@link #redrive} would select; changes nothing and runs no handler. */
	public Redrive plan(DeadLetterFilter filter) {
		return this.desk.read(() -> this.desk.redrives.plan(fit(filter)));
	}

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
	public Redrive redrive(RedriveRequest request) {
		TenantId tenant = (this.scope != null) ? this.scope : request.filter().tenantId();
		return this.desk.write(() -> this.desk.redrives.request(fit(request.filter()), request, tenant));
	}

	/** How far a redrive is; a redrive of another tenant has no letters. */
	public RedriveProgress progress(UUID redriveId) {
		return this.desk.read(() -> this.desk.redrives.progress(redriveId, fit(DeadLetterFilter.ALL)));
	}

	/**
	 * Discards the open letters that fit: their events count as processed and are never
	 * applied. What was parked behind them is redriven. Waits for handlers that are
	 * running the letters; what they resolve is not discarded.
	 * @param actor who wants it, for the audit
	 * @param reason why, for the audit; not blank
	 * @return how many were discarded
	 * @throws IllegalArgumentException if the actor or the reason is blank
	 */
	public long discard(DeadLetterFilter filter, String actor, String reason) {
		requireAnswerable(actor, reason);
		return this.desk.write(() -> this.desk.discards.discard(fit(filter), actor, reason));
	}

	/** How many letters {@link #discard} would discard; changes nothing. */
	public long planDiscard(DeadLetterFilter filter) {
		return this.desk.read(() -> this.desk.discards.plan(fit(filter)));
	}

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
	public void edit(UUID letterId, byte @Nullable [] payload, String actor, String reason) {
		requireAnswerable(actor, reason);
		this.desk.write(() -> {
			this.desk.edits.edit(letterId, fit(letterId), payload, actor, reason);
			return letterId;
		});
	}

	/**
	 * The node that would run redrives of a projector now; empty if no application with
	 * its handler is alive. Asks the leases {@code projector/<name>} and
	 * {@code redrive/<name>}.
	 */
	public Optional<LeaseHolder> redriver(String projector) {
		return this.desk.leases.current(List.of("projector/" + projector, "redrive/" + projector));
	}

	private LetterConditions fit(DeadLetterFilter filter) {
		return LetterConditions.of(filter, this.scope);
	}

	private LetterConditions fit(UUID letterId) {
		return LetterConditions.of(letterId, this.scope);
	}

	private static void requireAnswerable(String actor, String reason) {
		if (actor.isBlank()) {
			throw new IllegalArgumentException("An actor is needed, who answers for it.");
		}
		if (reason.isBlank()) {
			throw new IllegalArgumentException("A reason is needed, for those who look at the audit later.");
		}
	}

	/** What all scopes share. */
	private record Desk(LetterTransactions transactions, LetterQueries queries, LetterStatistics statistics,
			RedriveRequests redrives, LetterDiscards discards, LetterEdits edits, LeaseHolders leases) {

		static Desk of(DataSource dataSource, EventingSchema schema, JsonMapper json) {
			DataSource patient = BoundedDataSource.of(dataSource, PATIENCE);
			JdbcClient jdbc = JdbcClient.create(patient);
			return new Desk(new LetterTransactions(patient), new LetterQueries(jdbc, schema, json),
					new LetterStatistics(jdbc, schema), new RedriveRequests(jdbc, schema),
					new LetterDiscards(jdbc, schema), new LetterEdits(jdbc, schema, json),
					new LeaseHolders(patient, schema));
		}

		<T> T read(Supplier<T> work) {
			return this.transactions.read(work);
		}

		<T> T write(Supplier<T> work) {
			return this.transactions.write(work);
		}
	}

}
