package dev.eventing.sdk.cli;

import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.InlineStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lets appends skip an inline projector. */
@Command(name = "demote",
		description = { "Lets all appends skip an inline projector, so that its handlers cannot stop them.",
				"One node reads the event store for it, until it is promoted." })
final class DemoteCommand extends InlineChangeCommand {

	@Option(names = "--reason", paramLabel = "TEXT", required = true, order = 20,
			description = "The reason, for the audit.")
	private String reason = "";

	DemoteCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	boolean isChange(InlineStatus before) {
		return before != InlineStatus.DEMOTED;
	}

	@Override
	void change(InlineProjections inline, String projector, String by) {
		inline.demote(projector, by, this.reason);
	}

	@Override
	String words(String projector, boolean changed, boolean onlyShown) {
		if (!changed) {
			return "Projector '" + projector + "' is demoted already.";
		}
		return onlyShown ? "Would demote projector '" + projector + "'."
				: "Projector '" + projector + "' is demoted. Appends that begin now skip it.";
	}

}
