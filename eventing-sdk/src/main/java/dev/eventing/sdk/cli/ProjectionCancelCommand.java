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

	@Option(names = "--dry-run", order = 11, description = "Only shows what would be done.")
	private boolean dryRun;

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
		boolean cancelled = this.dryRun ? waits(projections) : projections.cancel(name(), this.actor, this.reason);
		if (output().isJson()) {
			json(Map.of("projector", name(), "cancelled", cancelled, "dryRun", this.dryRun));
		}
		else {
			terminal().line(words(cancelled));
		}
		return cancelled ? ExitCode.OK : ExitCode.NOT_DONE;
	}

	private boolean waits(Projections projections) {
		return projections.lastRequest(name()).filter((last) -> last.state().status().isOpen()).isPresent();
	}

	private String words(boolean cancelled) {
		if (!cancelled) {
			return "No request for projector " + quoted() + " waits.";
		}
		return this.dryRun ? "Would cancel the request for the read model of projector " + quoted() + "."
				: "The request for the read model of projector " + quoted() + " is cancelled.";
	}

}
