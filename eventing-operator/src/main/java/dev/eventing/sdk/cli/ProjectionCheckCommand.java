package dev.eventing.sdk.cli;

import java.util.List;

import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.ReconciliationResult;
import picocli.CommandLine.Command;

/** Shows what the last run of each check of a projector found. */
@Command(name = "check", description = { "Shows what the last run of each check of a read model found.",
		"Nodes of the application run the checks." })
final class ProjectionCheckCommand extends ProjectionCommand {

	ProjectionCheckCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors, Projections projections, ProjectorOverview before) {
		List<ReconciliationResult> results = checks().lastOfEach(name());
		int exitCode = new CheckResults(results).print(this);
		if (results.isEmpty()) {
			terminal().note("No check of projector " + quoted() + " has run.");
			return ExitCode.NOTHING_FOUND;
		}
		return exitCode;
	}

}
