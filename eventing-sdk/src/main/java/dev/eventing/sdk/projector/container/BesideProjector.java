package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.rebuild.GenerationBuilder;
import dev.eventing.sdk.projector.rebuild.GenerationSwitch;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;

/**
 * A generation that is fed beside the live one. One node owns it, which need not be the
 * owner of the live one.
 */
final class BesideProjector implements OwnedProjector {

	/**
	 * How long a switch waits until this generation has the last events that the live one
	 * has settled.
	 */
	private static final Duration LAST_PART = Duration.ofSeconds(5);

	private final int generation;

	/** The projector's description under the name of the generation. */
	private final ProjectorEndpoint endpoint;

	private final ProjectorRuns runs;

	private final GenerationBuilder builder;

	private final GenerationSwitch switching;

	/**
	 * Sends no query yet.
	 * @param version the version that feeds it, under the name of the live generation
	 */
	BesideProjector(ProjectorEndpoint version, int generation, ProjectorRuns runs, GenerationBuilder builder) {
		this.generation = generation;
		this.endpoint = version.withId(version.id().ofGeneration(generation));
		this.runs = runs;
		this.builder = builder;
		this.switching = new GenerationSwitch(version, runs.services(), generation);
	}

	/** The projector's description under the name of the generation. */
	ProjectorEndpoint endpoint() {
		return this.endpoint;
	}

	@Override
	public RunningProjector next(ProjectorLease lease, Runnable onFilled) {
		return running(lease, this.builder.filling(this.generation), onFilled);
	}

	private RunningProjector running(ProjectorLease lease, Filling filling, Runnable onFilled) {
		return this.runs.create(this.endpoint,
				new RunContext(lease, filling, null, false, onFilled, List.of(this.builder.boundary(filling))));
	}

	/** False, because the generation may be dropped by now. */
	@Override
	public boolean mustBeFed() {
		return false;
	}

	@Override
	public boolean isRequested() {
		return this.runs.pause().requested() == Action.SWITCH;
	}

	@Override
	public boolean isRefused() {
		return false;
	}

	@Override
	public boolean waitsForRights(ProjectorLease lease) {
		return this.switching.waitsForRights(lease);
	}

	@Override
	public boolean serve(ProjectorLease lease, @Nullable Long settledTo, BooleanSupplier stops) {
		return this.switching.serve(lease, settledTo, (position) -> feed(lease, position));
	}

	@Override
	public @Nullable Duration sinceCheck() {
		return this.switching.sinceCheck();
	}

	/** Feeds the generation up to a position, and stops it there. */
	private boolean feed(ProjectorLease lease, long position) {
		RunningProjector last = running(lease, this.builder.filling(this.generation).until(position), () -> {
		});
		last.start();
		try {
			boolean filled = last.awaitFilled(LAST_PART);
			Long settledTo = last.stop(LAST_PART);
			return filled && Objects.equals(settledTo, position);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
