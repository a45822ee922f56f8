package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.projection.InvalidReconciliationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports what is wrong with the checks of read models. */
final class InvalidReconciliationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidReconciliationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidReconciliationException cause) {
		return new FailureAnalysis(ProblemList.under("The checks of read models are not valid:", cause.problems()),
				"Change the methods above. Each line has what to consider.", cause);
	}

}
