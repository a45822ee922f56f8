package dev.eventing.sdk.projector.feed;

import java.time.Instant;
import java.util.function.Supplier;

import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.idempotency.PrunedHistoryException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Keeps a projector from reading events of which it has forgotten whether it applied
 * them, such as after its place was set back by hand or by an old copy of the stream.
 */
public final class PrunedHistoryGuard {

	private final String projector;

	private final PrunedHistory history;

	public PrunedHistoryGuard(FeedContext context) {
		this.projector = context.endpoint().name();
		this.history = new PrunedHistory(new JdbcTemplate(context.services().dataSource()),
				context.services().schema());
	}

	/**
	 * Makes sure that what comes next was stored after all that is forgotten.
	 * @param next when the next event was stored, or null: there is none
	 * @param place where the projector stands, for people
	 * @throws PrunedHistoryException if it was stored before
	 */
	public void requireNone(Supplier<@Nullable Instant> next, String place) {
		this.history.of(this.projector).ifPresent((prunedHistory) -> {
			Instant stored = next.get();
			if (stored != null && prunedHistory.includes(stored)) {
				throw new PrunedHistoryException(
						("Projector '%s' would read events again that it may have applied: %s, "
								+ "the next event was stored at %s, and what it applied of events before %s is pruned. "
								+ "Consider putting it behind the events it has applied. If it is to begin anew, empty its read "
								+ "model and delete its rows of dead_letters, processed_events and projector_prunings.")
							.formatted(this.projector, place, stored, prunedHistory.before()));
			}
		});
	}

}
