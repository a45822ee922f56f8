package dev.eventing.sdk.cli;

import java.util.List;

import dev.eventing.sdk.operator.ProjectorList;
import dev.eventing.sdk.operator.ProjectorView;
import dev.eventing.sdk.projection.Projectors;
import picocli.CommandLine.Command;

/** Lists all projectors. */
@Command(name = "list", description = "Lists the projectors of all nodes that share the database.")
final class ProjectorListCommand extends ProjectorCommand {

	ProjectorListCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors) {
		List<ProjectorView> all = projectors.list().stream().map(ProjectorView::of).toList();
		if (output().isJson()) {
			json(new ProjectorList(all));
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

	private void print(List<ProjectorView> all) {
		Table table = new Table("PROJECTOR", "GENERATION", "STATUS", "POSITION", "BEHIND", "SECONDS", "LETTERS",
				"OWNER", "UPDATED", "DETAIL");
		for (ProjectorView each : all) {
			table.row(each.name(), each.generation() + " " + each.role(), each.status(), each.position(),
					each.behindEvents(), each.behindSeconds(), each.openLetters(), each.owner(),
					Times.readableOrNull(each.updatedAt()), each.detail());
		}
		table.print(terminal());
	}

}
