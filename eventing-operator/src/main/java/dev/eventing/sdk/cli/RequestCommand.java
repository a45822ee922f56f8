package dev.eventing.sdk.cli;

import java.time.Duration;

import dev.eventing.sdk.operator.ProjectionRequested;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.RequestPlan;
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
			json(ProjectionRequested.of(request, before.hasNode()));
		}
		return before.hasNode() ? ExitCode.OK : noNode();
	}

	private int dryRun(Projections projections, ProjectorOverview before) {
		RequestPlan plan = projections.plan(name(), what(projections));
		if (output().isJson()) {
			json(ProjectionRequested.planned(name(), before.hasNode(), plan));
		}
		else {
			terminal().line(plan(before));
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

	/** Stores the request. */
	abstract ProjectionRequest request(Projections projections);

	/** That it is requested, as a sentence. */
	abstract String requested();

}
