package dev.eventing.sdk.projector.feed.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.Claims;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.projector.transaction.LedgerClaims;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a read model from the event store, from a start of the projector to its stop: up
 * to a position, or beside the live generation without an end.
 *
 * <p>
 * Events need no claims. Each lane applies its events in the order of positions: an event
 * that waits for another attempt holds up its whole lane. So one position per lane, which
 * moves in the transaction that settles events, says which are settled. The claims that
 * events have from before stay, because their effects are in the read model again when it
 * is filled. Only an event that becomes a letter loses its claim, so that a redrive can
 * apply it. Beside the live generation all claims belong to the live one, and stay as
 * they are. Thread-safe.
 */
public final class StoreFill implements Claims {

	private static final Logger logger = LoggerFactory.getLogger(StoreFill.class);

	private final ProjectorId projector;

	private final Filling filling;

	private final FillingLedger ledger;

	private final FillRecords records;

	private final FilledPage page;

	/** Null beside the live generation. */
	private final @Nullable LedgerClaims claims;

	private final FencedTransactions transactions;

	/** The events that a stream has twice; null for the event store, which has none. */
	private final @Nullable FillingClaims firsts;

	private final Runnable onComplete;

	/**
	 * Whether events may have no claim from before, because the projector did not begin
	 * with the first event, or other code began the filling.
	 */
	private final boolean claimsAll;

	private final FilledLanes lanes;

	/** Null if it may read as fast as it can. */
	private volatile @Nullable BuildLimits limits;

	private volatile boolean complete;

	/** Whether it has met the end of the event store beside the live generation. */
	private volatile boolean ready;

	/**
	 * Sends no query yet.
	 * @param records what the database knows of the events
	 * @param onComplete called when the read model is filled
	 */
	public StoreFill(Filling filling, FillingLedger ledger, FillRecords records, FencedTransactions transactions,
			ProjectorOptions options, Runnable onComplete) {
		this.claimsAll = filling.begunAgain() || options.get(ProjectorSettings::deliverPolicy) == DeliverPolicy.NEW
				|| options.get(ProjectorSettings::newHandlers) == NewHandlersPolicy.FROM_NOW;
		this.projector = filling.projection();
		this.filling = filling;
		this.ledger = ledger;
		this.claims = records.claims();
		this.records = records;
		this.firsts = records.firsts();
		this.transactions = transactions;
		this.lanes = new FilledLanes(filling, ledger);
		this.page = new FilledPage(records, transactions, upTo());
		this.onComplete = onComplete;
	}

	/** Sets the checkpoint of the projector. Before the feed starts. */
	public void follow(Checkpoint checkpoint) {
		this.lanes.follow(checkpoint);
	}

	/** Sets the limits of a build; null for none. Before the feed starts. */
	public StoreFill within(@Nullable BuildLimits given) {
		this.limits = given;
		return this;
	}

	/**
	 * How many events may be read now. Waits a little if none may.
	 * @param wanted the most that are wanted
	 * @param stopping counted down when it must not wait
	 */
	public int awaitTurn(int wanted, CountDownLatch stopping) throws InterruptedException {
		BuildLimits current = limits();
		return (current != null) ? current.await(wanted, stopping) : wanted;
	}

	/** Events were read, whether handlers take them or not. */
	public void took(int events) {
		BuildLimits current = limits();
		if (current != null) {
			current.took(events);
		}
	}

	/** Whether {@link #describe} has something new since the last call. */
	public boolean takeNews() {
		BuildLimits current = limits();
		return current != null && current.takeNews();
	}

	/** Null once the generation is ready. */
	private @Nullable BuildLimits limits() {
		return this.ready ? null : this.limits;
	}

	/** The page that is read. */
	public FilledPage page() {
		return this.page;
	}

	/** The number of lanes, which stays the same until the read model is filled. */
	public int lanes() {
		return this.lanes.count();
	}

	/**
	 * The position up to which the read model is filled; {@link Long#MAX_VALUE} if it
	 * follows the event store.
	 */
	public long upTo() {
		Long upTo = this.filling.upTo();
		return (upTo != null) ? upTo : Long.MAX_VALUE;
	}

	/** The throttling, for operators. */
	public String describe() {
		SourceStream stream = this.filling.stream();
		String from = (stream != null) ? "stream '" + stream.stream() + "'" : "the event store";
		if (this.filling.upTo() != null && !this.filling.isPast()) {
			return "filling the read model from " + from + ", up to " + end();
		}
		BuildLimits current = limits();
		String pace = (current != null) ? current.describe() : null;
		return (this.ready ? "feeding generation " : "filling generation ") + this.filling.generation()
				+ " beside the live one, from " + from + (this.filling.isPast() ? ", up to " + end() : "")
				+ ((pace != null) ? "; " + pace : "");
	}

	private String end() {
		return ((this.filling.stream() != null) ? "sequence " : "position ") + upTo();
	}

	/** The generation that it fills. */
	public Filling filling() {
		return this.filling;
	}

	/** Whether it follows the event store and has met its end once. */
	public boolean isReady() {
		return this.ready;
	}

	/**
	 * Records that it has met the end of the event store.
	 * @return whether that is news
	 */
	public boolean metTheEnd() {
		boolean news = this.filling.isBeside() && this.filling.upTo() == null && !this.ready;
		if (news) {
			this.transactions.note(() -> {
				this.lanes.requireKept();
				if (this.ledger.ready(this.filling.generation(), this.projector.actor())) {
					logger.info("Generation {} of the read model of projector '{}' is ready: it has met the end of its "
							+ "source, and follows it.", this.filling.generation(), this.projector);
				}
			});
			this.ready = true;
		}
		return news;
	}

	/** Whether the read model is filled. Then the projector must start again. */
	public boolean isComplete() {
		return this.complete;
	}

	/**
	 * Puts an event into the order of its lane.
	 * @return false if it is settled already
	 */
	public boolean takes(Work work) {
		if (work.routed().hasEvent() && work.routed().handler() == null) {
			this.page.noteUnhandled(work.routed().eventKey());
		}
		int lane = work.routed().lane(lanes());
		work.orderWithLane(lane);
		return work.place().sequence() > this.filling.lanes().get(lane);
	}

	/**
	 * Records events of one lane as settled, in the transaction that applies them.
	 */
	public void applied(List<Work> applied) {
		LedgerClaims before = this.claims;
		if (before != null) {
			List<EventKey> unclaimed = this.claimsAll
					? applied.stream().map((work) -> work.routed().eventKey()).toList() : Work.attempted(applied);
			if (!unclaimed.isEmpty()) {
				before.claim(unclaimed);
			}
		}
		this.lanes.move(applied.get(applied.size() - 1));
	}

	/** Records an event as settled, in the transaction that makes a letter of it. */
	public void buried(Work work) {
		this.lanes.lockedPosition(work.routed().lane(lanes()));
		this.lanes.move(work);
		if (this.filling.isBeside()) {
			this.records.requireFewLetters();
		}
	}

	/**
	 * Fails beside the live generation if too many events became dead letters, also those
	 * that wait behind another of their key, or if its tables take too much space.
	 * @throws dev.eventing.sdk.projector.failure.OwnershipLostException if so
	 */
	public void requireWithinLimits() {
		if (this.filling.isBeside()) {
			this.transactions.note(() -> {
				this.records.requireFewLetters();
				BuildLimits current = limits();
				if (current != null) {
					current.requireSpace();
				}
				this.records.tidy().run();
			});
		}
	}

	/** Records that all events up to the position are settled. */
	public void complete() {
		if (this.filling.isPast()) {
			completePast();
		}
		else if (this.filling.isBeside()) {
			this.complete = true;
		}
		else if (!this.complete) {
			this.transactions.note(() -> {
				// Else an earlier commit was not answered.
				if (this.ledger.isUnderWay(this.filling.generation())) {
					this.lanes.requireKept();
					this.ledger.complete(this.filling.generation(), this.projector.actor(),
							"filled up to position " + upTo());
					this.records.whenComplete().run();
				}
			});
			this.complete = true;
			logger.info("The read model of projector '{}' is rebuilt: generation {} is filled up to {}.",
					this.projector, this.filling.generation(), end());
			this.onComplete.run();
		}
	}

	/** No node runs the generation any more. */
	private void completePast() {
		if (this.complete) {
			return;
		}
		this.transactions.note(() -> {
			if (!this.ledger.isUnderWay(this.filling.generation())) {
				return; // an earlier commit was not answered
			}
			this.lanes.requireKept();
			if (this.ledger.past(this.filling.generation(), this.projector.actor(), "filled up to " + end())) {
				logger.info("Generation {} of the read model of projector '{}' shows it as it was at {}.",
						this.filling.generation(), this.projector, end());
			}
		});
		this.complete = true;
		this.onComplete.run();
	}

	@Override
	public List<RoutedEvent> unsettled(List<RoutedEvent> events) {
		if (events.isEmpty()) {
			return events;
		}
		long settled = this.lanes.lockedPosition(events.get(0).lane(lanes()));
		return events.stream().filter((event) -> event.place().sequence() > settled).toList();
	}

	@Override
	public Set<EventKey> claim(Map<EventKey, @Nullable Integer> events) {
		FillingClaims claimed = this.firsts;
		return (claimed != null) ? claimed.claim(events.keySet()) : events.keySet();
	}

	@Override
	public Set<EventKey> differing(Map<EventKey, @Nullable Integer> digests) {
		return Set.of();
	}

	@Override
	public void unclaim(Collection<EventKey> events) {
		FillingClaims claimed = this.firsts;
		if (claimed != null) {
			claimed.unclaim(events);
		}
	}

	@Override
	public void giveUp(Collection<EventKey> events) {
		LedgerClaims before = this.claims;
		if (before != null) {
			before.unclaim(events);
		}
	}

}
