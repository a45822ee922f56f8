package dev.eventing.sdk.observability;

import java.time.Duration;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.eventing.sdk.projection.CheckSchedule;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.Watched;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * What the last run of each check found, whichever node made it, as of some seconds ago.
 * It does not wait for a server. It is {@code UP}, also if there are differences: the
 * application still serves its readers. If this node cannot run checks now, the detail
 * {@code schedule} has the reason. With {@code downOnDifferences} it is {@code DOWN}
 * while the last run of a check has found some, and while this node cannot run checks:
 * what was found last may be out of date then.
 */
public final class ReconciliationHealthIndicator extends AbstractHealthIndicator implements Watched {

	private final Reconciliations reconciliations;

	private final CheckSchedule schedule;

	private final boolean downOnDifferences;

	private final Samples<Optional<ReconciliationResult>> results;

	public ReconciliationHealthIndicator(Reconciliations reconciliations, CheckSchedule schedule,
			boolean downOnDifferences) {
		super("The health of read models cannot be determined");
		this.reconciliations = reconciliations;
		this.schedule = schedule;
		this.downOnDifferences = downOnDifferences;
		this.results = new Samples<>("last result of check", reconciliations::last);
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.results.stalls(longest);
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		Map<String, Object> details = new LinkedHashMap<>();
		this.reconciliations.checks().forEach((check) -> {
			Optional<ReconciliationResult> last = this.results.last(check.name());
			if (last != null && last.isPresent()) {
				details.put(check.name(), details(last.get()));
				if (this.downOnDifferences && last.get().hasDifferences()) {
					builder.down();
				}
			}
		});
		builder.withDetail("checks", details);
		String failure = this.schedule.lastFailure();
		if (failure != null) {
			builder.withDetail("schedule", failure);
			if (this.downOnDifferences) {
				builder.down();
			}
		}
	}

	/** Neither samples nor errors, which may quote values of events. */
	private static Map<String, Object> details(ReconciliationResult result) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("projector", result.projector());
		details.put("at", result.run().at());
		Answer answer = result.answer();
		details.put("answered", answer != null);
		if (answer != null) {
			details.put("position", answer.position());
			details.put("differences", answer.differences());
		}
		return details;
	}

}
