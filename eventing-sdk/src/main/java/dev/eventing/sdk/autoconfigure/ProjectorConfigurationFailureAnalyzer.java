package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.annotation.ProjectorConfigurationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports what is wrong with handler methods and their attributes. */
final class ProjectorConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ProjectorConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ProjectorConfigurationException cause) {
		return new FailureAnalysis(ProblemList.under("The declarations of projectors are not valid:", cause.problems()),
				"Change the methods above, or the properties 'eventing.projectors.<name>.*' and "
						+ "'eventing.projector.defaults.*' where they set the value. Each line says what to consider.",
				cause);
	}

}
