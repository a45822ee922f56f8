package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.projector.InvalidProjectorOptionsException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports which options of a projector created in code are out of range. */
final class InvalidProjectorOptionsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidProjectorOptionsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidProjectorOptionsException cause) {
		return new FailureAnalysis(ProblemList.under("Options of a projector are out of range:", cause.problems()),
				"Change the values above where they are set: in code, or by the properties "
						+ "'eventing.projectors.<name>.*' and 'eventing.projector.defaults.*'.",
				cause);
	}

}
