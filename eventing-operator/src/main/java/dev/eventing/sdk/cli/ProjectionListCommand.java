package dev.eventing.sdk.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.operator.CheckView;
import dev.eventing.sdk.operator.GenerationView;
import dev.eventing.sdk.operator.ProjectionList;
import dev.eventing.sdk.operator.ProjectionRow;
import dev.eventing.sdk.operator.ProjectorView;
import dev.eventing.sdk.operator.RequestView;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Lists the read models of all projectors, with the generations beside live ones. */
@Command(name = "list", mixinStandardHelpOptions = true, sortOptions = true, usageHelpAutoWidth = true,
		description = "Lists the read models of all projectors, with their generations.",
		exitCodeListHeading = "%nExit codes:%n", exitCodeList = { "0:done", "1:an error, described in one line",
				"2:usage error", "3:no projector has ever run on this database" })
final class ProjectionListCommand extends DatabaseCommand {

	ProjectionListCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(SingleConnectionDataSource dataSource) {
		Projections projections = new JdbcProjections(dataSource, database().schema());
		CheckLedger checks = new CheckLedger(dataSource, database().schema());
		List<Row> rows = new ArrayList<>();
		for (ProjectorOverview each : new JdbcProjectors(dataSource, database().schema()).list()) {
			Optional<ProjectionGeneration> generation = projections.generations(each.name())
				.stream()
				.filter((one) -> one.generation() == each.generation().number())
				.findFirst();
			boolean live = generation.map((one) -> !one.status().isBeside()).orElse(true);
			rows.add(new Row(each, generation.orElse(null), projections.lastRequest(each.name()).orElse(null),
					checks.lastOfEach(each.name())
						.stream()
						.filter((result) -> live ? result.run().generation() == null
								: Objects.equals(result.run().generation(), each.generation().number()))
						.toList()));
		}
		return print(rows);
	}

	private int print(List<Row> rows) {
		if (output().isJson()) {
			json(new ProjectionList(rows.stream().map(Row::view).toList()));
		}
		else if (!rows.isEmpty()) {
			Table table = new Table("PROJECTOR", "GENERATION", "VERSION", "STATUS", "POSITION", "SCHEMA",
					"LAST REQUEST", "CHECKS");
			rows.forEach((row) -> row.addTo(table));
			table.print(terminal());
			rows.forEach(this::note);
		}
		if (rows.isEmpty()) {
			terminal().note("No projector has ever run on this database.");
			return ExitCode.NOTHING_FOUND;
		}
		return ExitCode.OK;
	}

	private void note(Row row) {
		ProjectionGeneration known = row.generation();
		String note = (known != null) ? known.note() : null;
		if (note != null) {
			terminal().line(Terminal.printable("Generation " + row.projector().generation().number() + " of '"
					+ row.projector().name() + "': " + note));
		}
	}

	/**
	 * A generation of a read model.
	 *
	 * @param projector how its projector is
	 * @param generation the generation; null before a node has begun the first
	 * @param request the last request of the projector, or null
	 * @param checks the last result of each check on the generation
	 */
	private record Row(ProjectorOverview projector, @Nullable ProjectionGeneration generation,
			@Nullable ProjectionRequest request, List<ReconciliationResult> checks) {

		private void addTo(Table table) {
			ProjectionGeneration known = this.generation;
			ProjectionRequest last = this.request;
			table.row(this.projector.name(),
					this.projector.generation().number() + " " + this.projector.generation().role(),
					(known != null) ? known.version() : null, this.projector.status().state(),
					this.projector.position(), (known != null) ? known.schema() : null,
					(last != null) ? last.what().action() + " " + last.state().status() : null, words());
		}

		private @Nullable String words() {
			long different = this.checks.stream().filter(ReconciliationResult::hasDifferences).count();
			long unanswered = this.checks.stream().filter((each) -> each.answer() == null).count();
			if (this.checks.isEmpty()) {
				return null;
			}
			return (different + unanswered == 0) ? this.checks.size() + " sound"
					: "%d of %d differ, %d without an answer".formatted(different, this.checks.size(), unanswered);
		}

		private ProjectionRow view() {
			return new ProjectionRow(ProjectorView.of(this.projector),
					(this.generation != null) ? GenerationView.of(this.generation) : null,
					(this.request != null) ? RequestView.of(this.request) : null,
					this.checks.stream().map((each) -> CheckView.of(each, null)).toList());
		}

	}

}
