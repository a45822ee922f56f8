package dev.eventing.sdk.cli;

import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Pauses a projector on all nodes. */
@Command(name = "pause",
		description = { "Pauses a projector on all nodes, until it is resumed: it takes no further events.",
				"Restarts and takeovers change nothing about that. Redrives run on." })
final class PauseCommand extends ProjectorChangeCommand {

	@Option(names = "--reason", paramLabel = "TEXT", required = true, order = 20,
			description = "The reason, for the status and the audit.")
	private String reason = "";

	PauseCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	boolean isChange(ProjectorOverview before) {
		return !before.status().paused();
	}

	@Override
	void change(Projectors projectors, String name, String actor) {
		projectors.pause(name, actor, this.reason);
	}

	@Override
	String words(String name, boolean changed, boolean dryRun) {
		if (!changed) {
			return "Projector '" + name + "' is paused already. "
					+ (dryRun ? "Would change actor and reason." : "Actor and reason are changed.");
		}
		return dryRun ? "Would pause projector '" + name + "'."
				: "Projector '" + name + "' is paused. Nodes follow within a second.";
	}

}
