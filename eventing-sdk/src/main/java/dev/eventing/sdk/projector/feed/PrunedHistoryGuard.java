package dev.eventing.sdk.projector.feed;

import java.time.Instant;
import java.util.function.Supplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.idempotency.PrunedHistoryException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Prevents that a projector reads events if pruned rows showed whether it has applied
 * them. This can happen when its position was moved back by hand, or by an old copy of
 * the stream.
 */
public final class PrunedHistoryGuard {

	private final ProjectorId projector;

	private final PrunedHistory history;

	public PrunedHistoryGuard(FeedContext context) {
		this.projector = context.endpoint().id();
		this.history = new PrunedHistory(new JdbcTemplate(context.services().dataSource()),
				context.services().schema());
	}

	/**
	 * Makes sure that the next event was stored after the pruned history.
	 * @param next supplies when the next event was stored, or null if there is none
	 * @param place the position of the projector, for the message
	 * @throws PrunedHistoryException if the next event was stored before
	 */
	public void requireNone(Supplier<@Nullable Instant> next, String place) {
		this.history.of(this.projector).ifPresent((prunedHistory) -> {
			Instant stored = next.get();
			if (stored != null && prunedHistory.includes(stored)) {
				throw new PrunedHistoryException(
						("Projector '%s' would read events again that it may have applied: %s, "
								+ "the next event was stored at %s, and rows of processed_events for events before %s are pruned. "
								+ "Consider moving its position after the events that it has applied. To start it from the beginning, "
								+ "empty its read model and delete its rows of dead_letters, processed_events and "
								+ "projector_prunings, and of projection_skips and projection_inline if it was inline.")
							.formatted(this.projector, place, stored, prunedHistory.before()));
			}
		});
	}

}
