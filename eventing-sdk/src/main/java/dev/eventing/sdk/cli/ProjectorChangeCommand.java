package dev.eventing.sdk.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The common part of the commands that change a projector. */
abstract class ProjectorChangeCommand extends ProjectorCommand {

	@Parameters(paramLabel = "PROJECTOR", description = "The projector's name.")
	private String name = "";

	@Option(names = "--dry-run", order = 11, description = "Only shows what would be done.")
	private boolean dryRun;

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "The actor, for the audit (default: the operating system's user).")
	private String actor = System.getProperty("user.name", "unknown");

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
		if (!this.dryRun) {
			change(projectors, this.name, this.actor);
		}
		if (output().isJson()) {
			json(json(before));
		}
		else {
			terminal().line(words(Terminal.printable(this.name), isChange(before), this.dryRun));
		}
		if (before.hasNode()) {
			return ExitCode.OK;
		}
		terminal().note(terminal().yellow("No node runs projector '" + Terminal.printable(this.name) + "' now. "
				+ (this.dryRun ? "The change would take effect once one starts."
						: "The change is stored, and takes effect once one starts.")));
		return ExitCode.NO_APPLICATION;
	}

	private Map<String, @Nullable Object> json(ProjectorOverview before) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("projector", this.name);
		json.put("changed", isChange(before));
		json.put("dryRun", this.dryRun);
		json.put("attended", before.hasNode());
		return json;
	}

}
