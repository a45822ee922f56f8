package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import org.jspecify.annotations.Nullable;

/**
 * Runs the checks of a projector against a generation before a switch to it, on the
 * thread of its owner and while nothing of it runs. For one thread.
 */
final class GenerationGate {

	/** Appends meanwhile must not make the switch take long. */
	private static final Duration SHORT = Duration.ofSeconds(1);

	private final Reconciliations reconciliations;

	private final String projector;

	private final int generation;

	/** The request whose checks have found nothing; 0 for none. */
	private long passed;

	/**
	 * Until when the last check may take or has taken, by {@link System#nanoTime}; null
	 * before the first.
	 */
	private volatile @Nullable Long checkedUntil;

	/** Sends no query yet. */
	GenerationGate(Reconciliations reconciliations, String projector, int generation) {
		this.reconciliations = reconciliations;
		this.projector = projector;
		this.generation = generation;
	}

	/**
	 * Runs the checks, unless they have found nothing for this request before.
	 * @throws org.springframework.dao.DataAccessException if a result cannot be stored
	 */
	Verdict verdict(ProjectionRequest request) {
		if (request.what().isUnchecked() || request.id() == this.passed) {
			return Verdict.PASSED;
		}
		long begun = System.nanoTime();
		List<String> refusals = new ArrayList<>();
		for (ReconciliationCheck each : this.reconciliations.checks()) {
			if (each.projector().equals(this.projector)) {
				refusal(run(each, request.by().actor())).ifPresent(refusals::add);
			}
		}
		if (!refusals.isEmpty()) {
			return new Verdict(String.join(" ", refusals)
					+ " Correct the handler or the check. A generation that is wrong is retired, and built again.",
					false);
		}
		this.passed = request.id();
		return (System.nanoTime() - begun <= SHORT.toNanos()) ? Verdict.PASSED : new Verdict(null, true);
	}

	private ReconciliationResult run(ReconciliationCheck check, String actor) {
		this.checkedUntil = System.nanoTime() + this.reconciliations.timeLimit(check.name()).toNanos();
		try {
			return this.reconciliations.runBeside(check.name(), this.generation, actor);
		}
		finally {
			this.checkedUntil = System.nanoTime();
		}
	}

	/**
	 * The time since a check last ran within its time limit: zero while one does. Null if
	 * none ran. For any thread.
	 */
	@Nullable Duration sinceCheck() {
		Long until = this.checkedUntil;
		return (until != null) ? Duration.ofNanos(Math.max(0, System.nanoTime() - until)) : null;
	}

	/** Errors of queries may quote values of events, so the request has none. */
	private Optional<String> refusal(ReconciliationResult result) {
		Answer answer = result.answer();
		if (answer == null) {
			return Optional.of("Check '" + result.check() + "' has no answer for generation " + this.generation
					+ "; 'eventing projection check " + this.projector + "' shows why.");
		}
		return result.hasDifferences() ? Optional.of("Check '" + result.check() + "' finds " + answer.differences()
				+ ((answer.differences() == 1) ? " difference" : " differences") + " in generation " + this.generation
				+ " at position " + answer.position() + ".") : Optional.empty();
	}

	/**
	 * The answers of the checks.
	 *
	 * @param refusal why the switch is not made; null if it is
	 * @param isLate whether the generation is to be fed before the switch, because the
	 * checks took long
	 */
	record Verdict(@Nullable String refusal, boolean isLate) {

		static final Verdict PASSED = new Verdict(null, false);

	}

}
