package dev.eventing.sdk.cli;

import dev.eventing.sdk.operator.ProjectorChanged;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Cancels a request that waits. */
@Command(name = "cancel", description = { "Cancels the request that waits for a node.",
		"What has begun is not cancelled: a generation that is built is retired." })
final class ProjectionCancelCommand extends ProjectionCommand {

	@Mixin
	private final ChangeOptions options = new ChangeOptions();

	@Option(names = "--reason", paramLabel = "TEXT", required = true, order = 20,
			description = "The reason, for the audit.")
	private String reason = "";

	ProjectionCancelCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors, Projections projections, ProjectorOverview before) {
		boolean cancelled = this.options.isDryRun() ? waits(projections)
				: projections.cancel(name(), this.options.actor(), this.reason);
		if (output().isJson()) {
			json(new ProjectorChanged(name(), cancelled, this.options.isDryRun(), before.hasNode()));
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
		return this.options.isDryRun() ? "Would cancel the request for the read model of projector " + quoted() + "."
				: "The request for the read model of projector " + quoted() + " is cancelled.";
	}

}
