package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.event.InvalidEventVersionsException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports which versions of event types have no upcaster or downcaster. */
final class InvalidEventVersionsFailureAnalyzer extends AbstractFailureAnalyzer<InvalidEventVersionsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidEventVersionsException cause) {
		return new FailureAnalysis(ProblemList.under("The versions of event types are not valid:", cause.problems()),
				"Change the beans above, or 'eventing.events.written-versions'. Each line has what to consider.",
				cause);
	}

}
