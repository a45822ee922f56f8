package dev.eventing.samples.orders.rebuild;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.samples.orders.check.Comparison;
import dev.eventing.sdk.projection.ReconciliationResult;

/**
 * The result of a rebuild.
 *
 * @param candidate the new generation before the switch
 * @param switched what readers saw after the switch
 * @param rolledBack what they saw when the former generation was live again
 * @param end what they see in the end
 * @param checks what the checks of both read models found in the end
 * @param comparison whether both read models are what they should be in the end
 */
public record RebuildOutcome(Candidate candidate, View switched, View rolledBack, View end,
		List<ReconciliationResult> checks, Comparison comparison) {

	public RebuildOutcome {
		checks = List.copyOf(checks);
	}

	/** Whether all is as it should be. */
	public boolean isGood() {
		return problems().isEmpty();
	}

	/** The problems, in words. */
	public List<String> problems() {
		List<String> problems = new ArrayList<>();
		expect(this.candidate.live().isOld(), "before the switch " + this.candidate.live(), problems);
		expect(this.candidate.isGood(), "the new generation " + this.candidate, problems);
		expect(this.switched.isComplete(), "after the switch " + this.switched, problems);
		expect(this.rolledBack.isOld(), "after the rollback " + this.rolledBack, problems);
		expect(this.end.isComplete(), "in the end " + this.end, problems);
		this.checks.forEach((check) -> expect(check.answer() != null && !check.hasDifferences(),
				"in the end check " + check, problems));
		problems.addAll(this.comparison.differences());
		return problems;
	}

	private static void expect(boolean right, String seen, List<String> problems) {
		if (!right) {
			problems.add(seen);
		}
	}

}
