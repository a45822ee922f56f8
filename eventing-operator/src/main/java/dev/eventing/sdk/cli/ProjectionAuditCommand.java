package dev.eventing.sdk.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import org.jspecify.annotations.Nullable;
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
			json(Map.of("audit", entries.stream().map(ProjectionAuditCommand::json).toList()));
			return ExitCode.OK;
		}
		Table table = new Table("AT", "ACTION", "GENERATION", "ACTOR", "REASON", "DETAIL");
		entries.forEach((each) -> table.row(Times.readable(each.at()), each.action(), each.generation(), each.actor(),
				each.reason(), each.detail()));
		table.print(terminal());
		return ExitCode.OK;
	}

	private static Map<String, @Nullable Object> json(ProjectionAuditEntry entry) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("at", entry.at().toString());
		json.put("action", entry.action().name());
		json.put("generation", entry.generation());
		json.put("actor", entry.actor());
		json.put("reason", entry.reason());
		json.put("detail", entry.detail());
		return json;
	}

}
