package dev.eventing.sdk.cli;

import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.SwitchOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Requests that a generation beside the live one becomes live. */
@Command(name = "switch",
		description = { "Makes a generation live that stands beside the live one.",
				"The former one is kept and fed, until it is retired. If the checks of the projector find",
				"differences, or the switch cannot be made within ten seconds, everything goes on as before." })
final class SwitchCommand extends RequestCommand {

	@Option(names = "--generation", paramLabel = "N", required = true, order = 1,
			description = "The number of the generation.")
	private int generation;

	@Option(names = "--unchecked", order = 3, description = "Switches whatever the checks of the projector would find.")
	private boolean unchecked;

	@Option(names = "--accept-lost-columns", order = 4,
			description = "Switches although readers lose columns; --dry-run names them.")
	private boolean acceptsLostColumns;

	SwitchCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	String plan(ProjectorOverview before) {
		return "Would make generation " + this.generation + " of the read model of projector " + quoted()
				+ " live, in place of generation " + before.generation().number() + ".";
	}

	@Override
	ProjectionRequest request(Projections projections) {
		return projections.switchTo(name(), this.generation, options(), new ProjectionRequest.By(actor(), reason()),
				patience());
	}

	@Override
	ProjectionRequest.What what(Projections projections) {
		return ProjectionRequest.What.switchTo(this.generation, options());
	}

	private SwitchOptions options() {
		return new SwitchOptions(this.unchecked, this.acceptsLostColumns);
	}

	@Override
	String requested() {
		return "The switch to generation " + this.generation + " of the read model of projector " + quoted()
				+ " is requested.";
	}

}
