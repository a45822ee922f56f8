package dev.eventing.sdk.cli;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** Lists all projectors. */
@Command(name = "list", description = "Lists the projectors of all nodes that share the database.")
final class ProjectorListCommand extends ProjectorCommand {

	ProjectorListCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors) {
		List<ProjectorOverview> all = projectors.list();
		if (output().isJson()) {
			json(Map.of("projectors", all.stream().map(ProjectorJson::overview).toList()));
		}
		else if (!all.isEmpty()) {
			print(all);
		}
		if (all.isEmpty()) {
			terminal().note("No projector has ever run on this database.");
			return ExitCode.NOTHING_FOUND;
		}
		return ExitCode.OK;
	}

	private void print(List<ProjectorOverview> all) {
		Table table = new Table("PROJECTOR", "GENERATION", "STATUS", "POSITION", "BEHIND", "SECONDS", "LETTERS",
				"OWNER", "UPDATED", "DETAIL");
		for (ProjectorOverview each : all) {
			table.row(each.name(), each.generation().number() + " " + each.generation().role(), each.status().state(),
					each.position(), each.behind().events(), ProjectorJson.seconds(each.behind().time()),
					each.openLetters(), each.owner(), readable(each.updatedAt()), each.status().detail());
		}
		table.print(terminal());
	}

	private static @Nullable String readable(@Nullable Instant time) {
		return (time != null) ? Times.readable(time) : null;
	}

}
