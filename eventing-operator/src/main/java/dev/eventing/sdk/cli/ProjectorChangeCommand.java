package dev.eventing.sdk.cli;

import java.util.Optional;

import dev.eventing.sdk.operator.ProjectorChanged;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The common part of the commands that change a projector. */
abstract class ProjectorChangeCommand extends ProjectorCommand {

	@Parameters(paramLabel = "PROJECTOR", description = "The projector's name.")
	private String name = "";

	@Mixin
	private final ChangeOptions options = new ChangeOptions();

	ProjectorChangeCommand(Terminal terminal) {
		super(terminal);
	}

	/** Whether the change would change anything. */
	abstract boolean isChange(ProjectorOverview before);

	/** Changes the projector. */
	abstract void change(Projectors projectors, String name, String actor);

	/**
	 * The result in words.
	 * @param changed whether it changes anything
	 */
	abstract String words(String name, boolean changed, boolean dryRun);

	@Override
	final int run(Projectors projectors) {
		Optional<ProjectorOverview> found = projectors.find(this.name);
		if (found.isEmpty()) {
			return unknown(projectors, this.name);
		}
		ProjectorOverview before = found.get();
		if (!this.options.isDryRun()) {
			change(projectors, this.name, this.options.actor());
		}
		if (output().isJson()) {
			json(new ProjectorChanged(this.name, isChange(before), this.options.isDryRun(), before.hasNode()));
		}
		else {
			terminal().line(words(Terminal.printable(this.name), isChange(before), this.options.isDryRun()));
		}
		if (before.hasNode()) {
			return ExitCode.OK;
		}
		terminal().note(terminal().yellow("No node runs projector '" + Terminal.printable(this.name) + "' now. "
				+ (this.options.isDryRun() ? "The change would take effect once one starts."
						: "The change is stored, and takes effect once one starts.")));
		return ExitCode.NO_APPLICATION;
	}

}
