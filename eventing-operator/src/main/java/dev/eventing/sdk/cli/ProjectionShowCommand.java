package dev.eventing.sdk.cli;

import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.operator.GenerationView;
import dev.eventing.sdk.operator.ProjectionShown;
import dev.eventing.sdk.operator.ProjectorView;
import dev.eventing.sdk.operator.RequestView;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projection.Projectors;
import picocli.CommandLine.Command;

/** Shows the read model of a projector: its last request and its generations. */
@Command(name = "show", description = "Shows the last request for a read model, and its generations.")
final class ProjectionShowCommand extends ProjectionCommand {

	ProjectionShowCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(Projectors projectors, Projections projections, ProjectorOverview before) {
		Optional<ProjectionRequest> request = projections.lastRequest(name());
		List<ProjectionGeneration> generations = projections.generations(name());
		if (output().isJson()) {
			json(new ProjectionShown(ProjectorView.of(before), request.map(RequestView::of).orElse(null),
					projections.ddl(name()), generations.stream().map(GenerationView::of).toList()));
			return ExitCode.OK;
		}
		terminal().line("Projector " + quoted() + ": generation " + before.generation().number() + ", "
				+ before.generation().role() + ", " + before.status().state()
				+ ((before.position() != null) ? ", position " + before.position() : ""));
		request.ifPresent((last) -> terminal().line("Last request: " + words(last)));
		projections.ddl(name()).forEach((statement) -> terminal().line(ProjectionDdlCommand.line(statement)));
		if (!generations.isEmpty()) {
			Table table = new Table("GENERATION", "VERSION", "STATUS", "FILLED TO", "BEGUN", "LIVE", "RETIRED",
					"SCHEMA");
			generations.forEach((each) -> table.row(each.generation(), each.version(), each.status(), each.filledTo(),
					Times.readable(each.times().begunAt()), Times.readableOrNull(each.times().liveAt()),
					Times.readableOrNull(each.times().retiredAt()), each.schema()));
			table.print(terminal());
			printRemarks(projectors, generations);
		}
		return ExitCode.OK;
	}

	/** What their details, notes and failures say. */
	private void printRemarks(Projectors projectors, List<ProjectionGeneration> generations) {
		List<ProjectorOverview> others = projectors.list()
			.stream()
			.filter((each) -> each.name().equals(name()) && each.status().detail() != null)
			.filter((each) -> !each.generation().role().equals("live"))
			.toList();
		others.forEach((each) -> terminal()
			.line("Generation " + each.generation().number() + ", " + each.generation().role() + ", "
					+ each.status().state() + ": " + Terminal.printable(String.valueOf(each.status().detail()))));
		generations.stream()
			.filter((each) -> each.note() != null && each.status() != ProjectionGeneration.Status.RETIRED)
			.filter((each) -> others.stream().noneMatch((other) -> says(other, each)))
			.forEach((each) -> terminal()
				.line("Generation " + each.generation() + ": " + Terminal.printable(String.valueOf(each.note()))));
		generations.stream()
			.filter((each) -> each.failure() != null)
			.forEach((each) -> terminal().line("Generation " + each.generation() + " cannot go on. "
					+ Terminal.printable(String.valueOf(each.failure()))));
	}

	/** Whether its detail has the note of the generation already. */
	private static boolean says(ProjectorOverview other, ProjectionGeneration generation) {
		return other.generation().number() == generation.generation()
				&& String.valueOf(other.status().detail()).contains(String.valueOf(generation.note()));
	}

	private static String words(ProjectionRequest.Action action) {
		return switch (action) {
			case REBUILD_IN_PLACE -> "rebuild in place";
			case REBUILD_SCOPE -> "rebuild of a part";
			case REBUILD_BESIDE -> "rebuild beside the live generation";
			case SWITCH -> "switch";
			case RETIRE -> "retirement";
			case ADOPT -> "move of the live tables";
			case BACKFILL -> "backfill";
		};
	}

	private static String words(ProjectionRequest request) {
		String detail = RequestDetail.of(request);
		Integer generation = request.what().generation();
		ScopedRebuild part = request.what().part();
		return Terminal
			.printable(words(request.what().action()) + ((part != null) ? " (" + part.scope().describe() + ")" : "")
					+ ((generation != null) ? " of generation " + generation : "") + " by " + request.by().actor()
					+ " at " + Times.readable(request.requestedAt()) + " (" + request.by().reason() + "): "
					+ request.state().status() + ((detail != null) ? ". " + detail : ""));
	}

}
