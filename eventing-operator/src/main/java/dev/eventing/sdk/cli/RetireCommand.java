package dev.eventing.sdk.cli;

import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Requests that a generation that is not live is dropped. */
@Command(name = "retire", description = { "Drops a generation beside the live one, with its tables and their schema.",
		"This also ends a build. A node of the application does it." })
final class RetireCommand extends RequestCommand {

	@Option(names = "--generation", paramLabel = "N", required = true, order = 1,
			description = "The number of the generation.")
	private int generation;

	RetireCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	String plan(ProjectorOverview before) {
		return "Would drop generation " + this.generation + " of the read model of projector " + quoted()
				+ ", with its tables and their schema.";
	}

	@Override
	ProjectionRequest request(Projections projections) {
		return projections.retire(name(), this.generation, actor(), reason(), patience());
	}

	@Override
	ProjectionRequest.What what(Projections projections) {
		return new ProjectionRequest.What(ProjectionRequest.Action.RETIRE, this.generation);
	}

	@Override
	String requested() {
		return "To drop generation " + this.generation + " of the read model of projector " + quoted()
				+ " is requested.";
	}

}
