package dev.eventing.sdk.cli;

import java.util.List;

import dev.eventing.sdk.operator.ProjectionAuditList;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows who did what to a projector. */
@Command(name = "audit", description = "Shows who last did what to a projector and its read model, oldest first.")
final class ProjectionAuditCommand extends ProjectionCommand {

	@Option(names = "--limit", paramLabel = "N", order = 2, defaultValue = "" + Projectors.AUDIT,
			description = "Number of actions, the last ones, at most " + Projectors.MAX_AUDIT + " (${DEFAULT-VALUE}).")
	private int limit;

	ProjectionAuditCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors, Projections projections, ProjectorOverview before) {
		List<ProjectionAuditEntry> entries = projectors.audit(name(), this.limit);
		if (output().isJson()) {
			json(new ProjectionAuditList(entries));
			return ExitCode.OK;
		}
		Table table = new Table("AT", "ACTION", "GENERATION", "ACTOR", "REASON", "DETAIL");
		entries.forEach((each) -> table.row(Times.readable(each.at()), each.action(), each.generation(), each.actor(),
				each.reason(), each.detail()));
		table.print(terminal());
		return ExitCode.OK;
	}

}
