package dev.eventing.sdk.projector.inline;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projection.ledger.InlineRow;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerFailedException;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.StoredEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes a projector inline, heals one whose appends have skipped events, and lets one
 * follow again, each in one transaction of its owner that keeps appends out. For the
 * thread of the intake, while no event is in flight.
 */
final class InlineTurn {

	/** Appends wait while as many events are applied. */
	static final int MOST = 100;

	/** And while as many bytes of them are read. */
	private static final long MOST_BYTES = 8L << 20;

	/** For how long they are applied, and then given up. */
	private static final Duration AT_MOST = Duration.ofSeconds(1);

	/** How many skips one transaction deletes. */
	private static final int CHUNK = 1000;

	/** For how long skips are deleted at a time. */
	private static final Duration SWEEP = Duration.ofMillis(500);

	/** What {@link #take} returns if the projector is inline and has all events. */
	static final String DONE = "";

	private static final Logger logger = LoggerFactory.getLogger(InlineTurn.class);

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final String code;

	private final FencedTransactions transactions;

	private final HandlerTransaction handlers;

	private final JdbcTemplate jdbc;

	private final InlineLedger ledger;

	private final InlineHistory history;

	private final InlineEvents events;

	private final RebuiltLetters letters;

	/** No skip is before it that could be deleted. */
	private long forgotten;

	/** No skip is before it. */
	private long firstSkip;

	/** Until when events are applied, by {@link System#nanoTime}. */
	private long end;

	/** Sends no query yet. */
	InlineTurn(FeedContext context, HandlerTransaction handlers, InlineLedger ledger, InlineHistory history) {
		this.endpoint = context.endpoint();
		this.services = context.services();
		this.code = InlineCode.of(this.endpoint, this.services.store().subjects());
		this.transactions = context.transactions();
		this.handlers = handlers;
		this.jdbc = new JdbcTemplate(this.services.dataSource());
		this.ledger = ledger;
		this.history = history;
		this.events = new InlineEvents(this.endpoint, this.services.reader(), this.services.store());
		this.letters = new RebuiltLetters(this.jdbc, this.services.schema(), this.endpoint.id());
	}

	/** Whether appends run the handlers of this code. */
	boolean isOwn(InlineRow row) {
		return row.code().equals(this.code);
	}

	/** Creates what tells appends of the projector. It follows at first. */
	void register() {
		this.transactions.note(() -> this.ledger.register(this.code));
	}

	/**
	 * Deletes skips of settled events, for a moment. Appends do not wait.
	 * @param settled all events up to here are settled
	 * @return whether none is left but the last
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	boolean forgetSkips(long settled) {
		long begun = System.nanoTime();
		while (System.nanoTime() - begun < SWEEP.toNanos()) {
			Long last = this.ledger.lastSkip();
			long gone = this.transactions.note(() -> this.ledger.forgetSkips(this.forgotten, settled, CHUNK));
			if (gone == 0) {
				this.firstSkip = (last != null) ? Math.min(last, settled + 1) : settled + 1;
				this.forgotten = this.firstSkip - 1;
				return true;
			}
			this.forgotten = gone;
		}
		return false;
	}

	/**
	 * Makes the projector inline, or deletes its skips, if nothing stands in the way.
	 * Applies what was appended since.
	 * @param after all events up to here are settled, and no later one is
	 * @return {@link #DONE}, or why not
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	String take(long after) {
		try {
			if (!this.ledger.isWatched()) {
				String refusal = this.ledger.watchRefusal();
				if (!refusal.isEmpty()) {
					return refusal;
				}
				this.transactions.note(this.ledger::watch);
			}
			return this.handlers.execute(List.of(), (run) -> takeLocked(run, after), (event) -> requireInTime());
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) { // also of a handler: its lane meets it again
			logger.debug("Projector '{}' does not become inline now.", this.endpoint.name(), ex);
			return describe(ex);
		}
	}

	private static String describe(RuntimeException ex) {
		Throwable failure = HandlerFailedException.errorOf(ex);
		if (failure instanceof TransactionTimedOutException) {
			return "its handlers take longer than " + AT_MOST.toSeconds() + " s for what was appended meanwhile";
		}
		if (failure instanceof AppendedException) {
			return "its handlers append events";
		}
		Throwable cause = (failure.getCause() instanceof DataAccessException) ? failure.getCause() : failure;
		String what = (cause instanceof DataAccessException database) ? DatabaseFailure.describe(database)
				: cause.getClass().getSimpleName();
		return (ex instanceof HandlerFailedException) ? ex.getMessage() + " with " + what : what;
	}

	private String takeLocked(HandlerTransaction.Run run, long after) {
		this.ledger.lock();
		limit();
		InlineRow row = this.ledger.find().orElseThrow();
		if (row.isDemoted() || (row.isInline() && !isOwn(row))) {
			return "its state has changed";
		}
		String letters = openLetters();
		if (!letters.isEmpty()) {
			return letters;
		}
		EventLog log = this.services.store().log();
		List<StoredEvent> rest = log.visible(this.jdbc, after, MOST, MOST_BYTES).orElse(null);
		if (rest == null) {
			return "more than " + MOST + " events, or " + (MOST_BYTES >> 20) + " MiB, were appended meanwhile";
		}
		if (!this.ledger.isWatched()) { // who would drop the trigger waits for this
										// transaction now
			return "the trigger eventing_inline was dropped meanwhile";
		}
		apply(run, rest, row);
		long last = rest.isEmpty() ? after : rest.get(rest.size() - 1).position();
		if (log.visible(this.jdbc, last, 0, MOST_BYTES).isEmpty()) {
			// they would never be applied: the guard does not know yet that it is inline
			throw new AppendedException();
		}
		note(row, after);
		return DONE;
	}

	private void note(InlineRow before, long after) {
		if (before.isInline()) {
			this.ledger.heal(after, this.firstSkip);
			this.ledger.audit(this.endpoint.id().actor(), ProjectionAction.HEALED, null);
		}
		else {
			this.ledger.turnInline(this.code, InlineTypes.of(this.endpoint), after, this.firstSkip);
			this.ledger.audit(this.endpoint.id().actor(), ProjectionAction.INLINE, null);
		}
	}

	/** Appends wait: the transaction fails in a while, at the latest when it ends. */
	private void limit() {
		this.end = System.nanoTime() + AT_MOST.toNanos();
		if (TransactionSynchronizationManager
			.getResource(this.services.dataSource()) instanceof ConnectionHolder connection) {
			connection.setTimeoutInMillis(AT_MOST.toMillis());
		}
	}

	/** For handlers whose statements know no limit. */
	private void requireInTime() {
		if (System.nanoTime() - this.end > 0) {
			throw new TransactionTimedOutException("Appends wait.");
		}
	}

	/**
	 * Why it cannot become inline for long, or an empty text. Later events of their keys
	 * would overtake letters.
	 */
	String openLetters() {
		long open = this.letters.open();
		return (open > 0) ? "it has " + open + " open dead letters" : "";
	}

	private void apply(HandlerTransaction.Run run, List<StoredEvent> rest, InlineRow row) {
		Set<Long> applied = rest.isEmpty() ? Set.of() : this.history.among(rest, row);
		List<StoredEvent> left = rest.stream().filter((each) -> !applied.contains(each.position())).toList();
		if (!left.isEmpty()) {
			run.apply(this.events.taken(left));
		}
	}

	/**
	 * Has appends skip the projector from now on.
	 * @param why for the audit
	 * @return whether it was done
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	boolean leave(String why) {
		try {
			this.transactions.note(() -> this.ledger.follow(this.endpoint.id().actor(), why));
			return true;
		}
		catch (DataAccessException ex) {
			logger.debug("Projector '{}' does not cease to be inline now.", this.endpoint.name(), ex);
			return false;
		}
	}

	/** Rolls the transaction back. */
	private static final class AppendedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
