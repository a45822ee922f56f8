package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.operator.DiffView;
import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.GenerationDiff.TableDiff;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.ReconciliationResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares the live generation of a read model with the one beside it. */
@Command(name = "diff",
		description = { "Compares the live generation of a read model with the one beside it.",
				"Waits for a moment in which both have settled the same events. If events flow, holds both for that.",
				"Needs the right to read the tables." })
final class ProjectionDiffCommand extends ProjectionCommand {

	@Option(names = "--wait", paramLabel = "TIME", order = 1,
			description = "How long to wait for such a moment (default: 1m).")
	private Duration patience = Duration.ofMinutes(1);

	@Option(names = "--timeout", paramLabel = "TIME", order = 2,
			description = "How long one statement may take (default: 5m).")
	private Duration timeout = Duration.ofMinutes(5);

	@Option(names = "--dry-run", order = 11, description = "Only shows what would be done.")
	private boolean dryRun;

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "The actor, for the results (default: the operating system's user).")
	private String actor = System.getProperty("user.name", "unknown");

	@Option(names = "--reason", paramLabel = "TEXT", order = 14, description = "The reason, for the audit.")
	private @Nullable String reason;

	ProjectionDiffCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors, Projections projections, ProjectorOverview before) {
		if (this.timeout.toSeconds() < 1) {
			throw new UsageException("--timeout must be at least one second, not " + this.timeout + ".");
		}
		if (this.actor.isBlank()) {
			throw new UsageException("--actor must not be blank.");
		}
		if (this.dryRun) {
			return dryRun(projections);
		}
		GenerationDiff diff = comparison(this.timeout).run(name(), this.actor, this.patience,
				(progress) -> terminal().note(Terminal.printable(progress)));
		checks().audit(diff.result(), this.reason);
		if (output().isJson()) {
			json(DiffView.of(diff));
			return exitCode(diff.result());
		}
		print(diff.tables());
		return new CheckResults(List.of(diff.result())).print(this);
	}

	private int dryRun(Projections projections) {
		DiffView planned = DiffView.planned(name(), projections.generations(name()));
		Integer beside = planned.generation();
		if (output().isJson()) {
			json(planned);
		}
		else {
			terminal().line((beside != null)
					? "Would compare generation " + beside + " of the read model of projector " + quoted()
							+ " with the live one."
					: "In the way: The read model of projector " + quoted()
							+ " has no generation beside the live one that is READY or STANDBY.");
		}
		return (beside != null) ? ExitCode.OK : ExitCode.NOT_DONE;
	}

	private static int exitCode(ReconciliationResult result) {
		return (result.answer() != null && !result.hasDifferences()) ? ExitCode.OK : ExitCode.DIFFERENCES;
	}

	private void print(List<TableDiff> tables) {
		if (tables.isEmpty()) {
			return;
		}
		Table table = new Table("TABLE", "LIVE ROWS", "OTHER ROWS", "DIFFERENT", "ONLY IN LIVE", "ONLY IN OTHER");
		tables.forEach((each) -> table.row(each.table(), each.liveRows(), each.otherRows(), each.differences(),
				names(each.onlyInLive()), names(each.onlyInOther())));
		table.print(terminal());
	}

	private static @Nullable String names(List<String> columns) {
		return columns.isEmpty() ? null : String.join(", ", columns);
	}

}
