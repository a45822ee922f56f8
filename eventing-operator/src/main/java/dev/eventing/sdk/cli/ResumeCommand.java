package dev.eventing.sdk.cli;

import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends the pause of a projector. */
@Command(name = "resume", description = "Ends the pause of a projector, whoever requested it.")
final class ResumeCommand extends ProjectorChangeCommand {

	@Option(names = "--reason", paramLabel = "TEXT", order = 20, description = "The reason, for the audit.")
	private @Nullable String reason;

	ResumeCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	boolean isChange(ProjectorOverview before) {
		return before.status().isHeldUp();
	}

	@Override
	void change(Projectors projectors, String name, String actor) {
		projectors.resume(name, actor, this.reason);
	}

	@Override
	String words(String name, boolean changed, boolean dryRun) {
		if (!changed) {
			return "Projector '" + name + "' is not paused.";
		}
		return dryRun ? "Would resume projector '" + name + "'."
				: "Projector '" + name + "' is resumed. Nodes follow within a second.";
	}

}
