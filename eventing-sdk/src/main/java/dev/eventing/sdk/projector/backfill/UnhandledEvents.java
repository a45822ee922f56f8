package dev.eventing.sdk.projector.backfill;

import java.util.Set;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.idempotency.PrunedHistory.Forgotten;
import dev.eventing.sdk.projection.ledger.BackfillLedger;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Proves that a projector has handled no event of some types, as far as rows of
 * {@code processed_events} do not show that any more. Such a row is not needed for an
 * event of a type for which no version had a handler. Runs in the caller's transaction.
 */
final class UnhandledEvents {

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final JdbcCoverage coverage;

	private final BackfillLedger backfills;

	private final RebuiltLetters letters;

	/** Sends no query yet. */
	UnhandledEvents(ProjectorEndpoint endpoint, ProjectorServices services) {
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		this.endpoint = endpoint;
		this.services = services;
		this.coverage = new JdbcCoverage(jdbc, services.schema(), endpoint.id());
		this.backfills = new BackfillLedger(jdbc, services.schema());
		this.letters = new RebuiltLetters(jdbc, services.schema(), endpoint.id());
	}

	/**
	 * Returns why that is not proven, or null if it is.
	 * @param after the events after this position
	 * @param upTo up to this one
	 * @param forgotten which events may have lost their row
	 */
	@Nullable String doubt(Set<String> types, long after, long upTo, Forgotten forgotten) {
		// They apply events from before the handler. Their own rows are younger.
		String[] names = types.toArray(String[]::new);
		if (this.backfills.hasBegunBefore(this.endpoint.id().base(), names, forgotten.before())) {
			return "An earlier backfill of these types has applied some.";
		}
		if (this.letters.isResolvedBefore(forgotten.before(), names)) {
			return "A redrive has applied some.";
		}
		for (String type : types) {
			long from = Math.max(after, this.coverage.unhandledTo(type));
			if (this.services.store().log().ofTypes(Set.of(type), upTo).hasRecordedBefore(forgotten.before(), from)) {
				return "Handlers may have taken events of type '" + type + "' after position " + from + ".";
			}
		}
		return null;
	}

}
