package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.projector.ProjectorStartException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports what must be corrected before projectors can start. */
final class ProjectorStartFailureAnalyzer extends AbstractFailureAnalyzer<ProjectorStartException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ProjectorStartException cause) {
		return new FailureAnalysis(ProblemList.under("Projectors cannot start:", cause.problems()),
				"Do what each line says to consider. If it is about a stream or a durable, change that on the server, or "
						+ "its declaration in the application: the attributes of @ProjectorEventHandler, or "
						+ "'eventing.streams.<NAME>.subjects' to declare a stream.",
				cause);
	}

}
