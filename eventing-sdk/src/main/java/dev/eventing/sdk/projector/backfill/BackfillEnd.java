package dev.eventing.sdk.projector.backfill;

import java.util.Locale;

import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ledger.BackfillLedger;
import dev.eventing.sdk.projection.ledger.Backfilling;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projector.feed.FeedContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Saves how far a backfill is, and ends it. For the thread of the intake;
 * {@link #describe} is for any.
 */
final class BackfillEnd {

	private static final Logger logger = LoggerFactory.getLogger(BackfillEnd.class);

	private final Backfill backfill;

	private final FeedContext context;

	private final BackfillLedger ledger;

	private final RequestLedger requests;

	private final GenerationLedger generations;

	/** Sends no query yet. */
	BackfillEnd(Backfill backfill, FeedContext context) {
		JdbcTemplate jdbc = new JdbcTemplate(context.services().dataSource());
		this.backfill = backfill;
		this.context = context;
		this.ledger = new BackfillLedger(jdbc, context.services().schema());
		this.requests = new RequestLedger(jdbc, context.services().schema());
		this.generations = new GenerationLedger(jdbc, context.services().schema(), context.endpoint().id());
	}

	BackfillLedger ledger() {
		return this.ledger;
	}

	/**
	 * Whether an operator has cancelled it. Then the live feed continues; events in lanes
	 * are still applied.
	 */
	boolean isCancelled() {
		boolean cancelled = !this.ledger.isOpen(this.backfill.row().request());
		if (cancelled) {
			save(0);
			this.backfill.end();
			logger.info("The backfill of projector '{}' has ended before all events were applied, up to position {}.",
					this.context.endpoint().name(), this.backfill.place().now(0).position());
		}
		return cancelled;
	}

	/** Records that all events are settled. */
	void complete() {
		Backfilling.Place last = this.backfill.place().now(0);
		String done = String.format(Locale.ROOT, "%,d events of %s are applied, up to position %d.", last.events(),
				String.join(", ", this.backfill.row().types().stream().sorted().toList()), last.position());
		this.context.transactions().note(() -> {
			long request = this.backfill.row().request();
			this.ledger.save(request, last);
			if (this.requests.end(request, Status.DONE, done)) {
				this.generations.audit(null, this.context.endpoint().id().actor(), ProjectionAction.BACKFILLED, null,
						done);
			}
			this.ledger.forget(request);
		});
		this.backfill.end();
		logger.info("The backfill of projector '{}' is done: {}", this.context.endpoint().name(), done);
	}

	/**
	 * Saves how far it is.
	 * @param handedOut handlers may have begun events up to here
	 */
	void save(long handedOut) {
		if (!this.backfill.isOver()) {
			Backfilling.Place now = this.backfill.place().now(handedOut);
			this.context.transactions().note(() -> this.ledger.save(this.backfill.row().request(), now));
		}
	}

	/**
	 * Its progress, as an addition to the state; empty if it has ended.
	 * @param pace the throttling, or null
	 */
	String describe(@Nullable String pace) {
		if (this.backfill.isOver()) {
			return "";
		}
		long heldAt = this.backfill.heldAt();
		return "; a backfill is at position " + this.backfill.place().now(0).position() + " of "
				+ this.backfill.row().range().upTo() + ((pace != null) ? ", " + pace : "")
				+ ((heldAt > 0) ? "; events wait for it from position " + heldAt + " on" : "");
	}

}
