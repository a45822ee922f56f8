package dev.eventing.sdk.cli;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.SwitchOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Requests that the generation becomes live again that was live before a switch. */
@Command(name = "rollback", description = { "Makes the generation live again that was live before the last switch.",
		"It is a switch like any other." })
final class RollbackCommand extends RequestCommand {

	@Option(names = "--accept-lost-columns", order = 4,
			description = "Switches although readers lose columns; --dry-run names them.")
	private boolean acceptsLostColumns;

	RollbackCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	String plan(ProjectorOverview before) {
		return "Would make the former generation of the read model of projector " + quoted()
				+ " live again, in place of generation " + before.generation().number() + ".";
	}

	@Override
	ProjectionRequest request(Projections projections) {
		return projections.switchTo(name(), former(projections), options(), new ProjectionRequest.By(actor(), reason()),
				patience());
	}

	@Override
	ProjectionRequest.What what(Projections projections) {
		return ProjectionRequest.What.switchTo(former(projections), options());
	}

	private SwitchOptions options() {
		return new SwitchOptions(false, this.acceptsLostColumns);
	}

	private int former(Projections projections) {
		return projections.generations(name())
			.stream()
			.filter((each) -> each.status().wasLive())
			.map(ProjectionGeneration::generation)
			.findFirst()
			.orElseThrow(() -> new RequestRefusedException(
					"No former generation of the read model of projector " + quoted() + " is kept."));
	}

	@Override
	String requested() {
		return "To roll the read model of projector " + quoted() + " back is requested.";
	}

}
