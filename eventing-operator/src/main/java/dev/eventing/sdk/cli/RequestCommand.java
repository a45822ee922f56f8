package dev.eventing.sdk.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.RequestPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The common part of all commands that request something of a read model. */
abstract class RequestCommand extends ProjectionCommand {

	@Option(names = "--expires", paramLabel = "TIME", order = 2,
			description = "How long the request waits for a node (default: 10m).")
	private Duration patience = Projections.PATIENCE;

	@Option(names = "--watch", order = 10, description = "Waits until the request is done.")
	private boolean watch;

	@Mixin
	private final ChangeOptions options = new ChangeOptions();

	@Option(names = "--reason", paramLabel = "TEXT", required = true, order = 20,
			description = "The reason, for the audit.")
	private String reason = "";

	RequestCommand(Terminal terminal) {
		super(terminal);
	}

	String actor() {
		return this.options.actor();
	}

	String reason() {
		return this.reason;
	}

	Duration patience() {
		return this.patience;
	}

	@Override
	final int run(Projectors projectors, Projections projections, ProjectorOverview before) {
		if (this.options.isDryRun()) {
			return dryRun(projections, before);
		}
		ProjectionRequest request = request(projections);
		if (!output().isJson()) {
			terminal().line(requested() + " It expires at " + Times.readable(request.expiresAt()) + ".");
		}
		if (this.watch && before.hasNode()) {
			return new RequestWatch(projectors, projections, this, request).await();
		}
		if (output().isJson()) {
			json(ProjectionJson.request(request));
		}
		return before.hasNode() ? ExitCode.OK : noNode();
	}

	private int dryRun(Projections projections, ProjectorOverview before) {
		RequestPlan plan = projections.plan(name(), what(projections));
		if (output().isJson()) {
			Map<String, @Nullable Object> json = new LinkedHashMap<>();
			json.put("notes", Stream.concat(notes(projections).stream(), plan.notes().stream()).toList());
			json.put("obstacles", plan.obstacles());
			json.put("tables", plan.tables());
			json.put("free", plan.free());
			json(json);
		}
		else {
			terminal().line(plan(before));
			notes(projections).forEach(terminal()::line);
			plan.notes().forEach((note) -> terminal().line(Terminal.printable(note)));
			space(plan);
			plan.obstacles().forEach((obstacle) -> terminal().line("In the way: " + Terminal.printable(obstacle)));
		}
		if (!before.hasNode()) {
			terminal().note(terminal().yellow("No node runs projector " + quoted() + " now."));
			return ExitCode.NO_APPLICATION;
		}
		return plan.obstacles().isEmpty() ? ExitCode.OK : ExitCode.NOT_DONE;
	}

	/** Says what it would take. */
	void space(RequestPlan plan) {
		// most requests take no space
	}

	/** What would be requested. */
	abstract ProjectionRequest.What what(Projections projections);

	/** What would be done, as a sentence. */
	abstract String plan(ProjectorOverview before);

	/** What else is to be known beforehand: a sentence each. */
	List<String> notes(Projections projections) {
		return List.of();
	}

	/** What readers would lose by a switch that accepts it: a sentence each. */
	final List<String> lost(Projections projections, int generation) {
		return projections.lostColumns(name(), generation)
			.stream()
			.map((each) -> "Readers would lose a column: in generation " + generation + " " + Terminal.printable(each)
					+ ".")
			.toList();
	}

	/** Stores the request. */
	abstract ProjectionRequest request(Projections projections);

	/** That it is requested, as a sentence. */
	abstract String requested();

}
