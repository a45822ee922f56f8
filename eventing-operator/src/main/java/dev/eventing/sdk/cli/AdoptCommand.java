package dev.eventing.sdk.cli;

import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Requests that the live tables are moved to a schema of their own. */
@Command(name = "adopt",
		description = { "Moves the live tables of a projector to a schema of their own, once.",
				"Later switches rename schemas, and no reader waits for them. The search_path of the application and",
				"of all readers must have the schema. A node of the application does it." })
final class AdoptCommand extends RequestCommand {

	@Option(names = "--to-schema", paramLabel = "NAME", required = true, order = 1,
			description = "The schema. It is created if it does not exist; otherwise it must be empty.")
	private String schema = "";

	AdoptCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	String plan(ProjectorOverview before) {
		return "Would move the live tables of projector " + quoted() + " to the schema '"
				+ Terminal.printable(this.schema) + "'.";
	}

	@Override
	ProjectionRequest request(Projections projections) {
		return projections.adopt(name(), this.schema, actor(), reason(), patience());
	}

	@Override
	ProjectionRequest.What what(Projections projections) {
		return ProjectionRequest.What.adopt(this.schema);
	}

	@Override
	String requested() {
		return "To move the live tables of projector " + quoted() + " to the schema '" + Terminal.printable(this.schema)
				+ "' is requested.";
	}

}
