package dev.eventing.sdk.cli;

import java.util.Map;

import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Cancels a request that waits. */
@Command(name = "cancel", description = { "Cancels the request that waits for a node.",
		"What has begun is not cancelled: a generation that is built is retired." })
final class ProjectionCancelCommand extends ProjectionCommand {

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "The actor, for the audit (default: the operating system's user).")
	private String actor = System.getProperty("user.name", "unknown");

	@Option(names = "--reason", paramLabel = "TEXT", required = true, order = 20,
			description = "The reason, for the audit.")
	private String reason = "";

	ProjectionCancelCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors, Projections projections, ProjectorOverview before) {
		boolean cancelled = projections.cancel(name(), this.actor, this.reason);
		if (output().isJson()) {
			json(Map.of("projector", name(), "cancelled", cancelled));
		}
		else {
			terminal().line(cancelled ? "The request for the read model of projector " + quoted() + " is cancelled."
					: "No request for projector " + quoted() + " waits.");
		}
		return ExitCode.OK;
	}

}
