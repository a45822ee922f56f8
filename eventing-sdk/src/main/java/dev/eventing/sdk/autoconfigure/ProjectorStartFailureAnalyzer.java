package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.projector.ProjectorStartException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports which streams or durables do not meet the requirements of projectors. */
final class ProjectorStartFailureAnalyzer extends AbstractFailureAnalyzer<ProjectorStartException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ProjectorStartException cause) {
		return new FailureAnalysis(ProblemList.under("Projectors cannot start:", cause.problems()),
				"Change the stream or the durable on the server, or its declaration in the application: the attributes of "
						+ "@ProjectorEventHandler, or 'eventing.streams.<NAME>.subjects' to declare a stream. Each line "
						+ "says what to consider.",
				cause);
	}

}
