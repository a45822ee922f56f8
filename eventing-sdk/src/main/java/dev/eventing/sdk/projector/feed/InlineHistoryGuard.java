package dev.eventing.sdk.projector.feed;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.PrunedHistoryException;
import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projection.ledger.InlineRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Prevents that a projector reads events again that appends have applied: no rows of
 * {@code processed_events} show which these are.
 */
public final class InlineHistoryGuard {

	private static final Logger logger = LoggerFactory.getLogger(InlineHistoryGuard.class);

	private final FeedContext context;

	private final InlineLedger ledger;

	/** Sends no query yet. */
	public InlineHistoryGuard(FeedContext context) {
		this.context = context;
		this.ledger = new InlineLedger(new JdbcTemplate(context.services().dataSource()), context.services().schema(),
				context.endpoint().id());
	}

	/**
	 * Makes sure that appends have never applied an event. If they have, they skip the
	 * projector from now on.
	 * @param why the projector would read events again, for the message
	 * @throws PrunedHistoryException if they have
	 */
	public void requireNone(String why) {
		InlineRow row = this.ledger.find().orElse(null);
		if (row == null || row.from() == null) {
			return;
		}
		if (row.isInline()) {
			leave(why);
		}
		ProjectorId projector = this.context.endpoint().id();
		throw new PrunedHistoryException(
				("Projector '%s' would read events again that it may have applied: %s, and appends have applied "
						+ "events after position %s, which no rows of processed_events show. Consider undoing that. To "
						+ "start it from the beginning, empty its read model and delete its rows of dead_letters, "
						+ "processed_events, projector_prunings, projection_skips and projection_inline.")
					.formatted(projector, why, row.from()));
	}

	private void leave(String why) {
		try {
			this.context.transactions().note(() -> this.ledger.follow(this.context.endpoint().id().actor(), why));
		}
		catch (DataAccessException ex) { // appends are open: the next look tries again
			logger.debug("Projector '{}' does not cease to be inline now.", this.context.endpoint().name(), ex);
		}
	}

}
