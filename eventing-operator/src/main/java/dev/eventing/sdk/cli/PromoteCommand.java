package dev.eventing.sdk.cli;

import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.InlineStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lets a demoted projector become inline again. */
@Command(name = "promote",
		description = "Lets a demoted projector become inline again, when it has all events and no open letter.")
final class PromoteCommand extends InlineChangeCommand {

	@Option(names = "--reason", paramLabel = "TEXT", order = 20, description = "The reason, for the audit.")
	private @Nullable String reason;

	PromoteCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	boolean isChange(InlineStatus before) {
		return before == InlineStatus.DEMOTED;
	}

	@Override
	void change(InlineProjections inline, String projector, String by) {
		inline.promote(projector, by, this.reason);
	}

	@Override
	String words(String projector, boolean changed, boolean onlyShown) {
		if (!changed) {
			return "Projector '" + projector + "' is not demoted.";
		}
		return onlyShown ? "Would promote projector '" + projector + "'."
				: "Projector '" + projector + "' is promoted. It is inline when it has all events.";
	}

}
