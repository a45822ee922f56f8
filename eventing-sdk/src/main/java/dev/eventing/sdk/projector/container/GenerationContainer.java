package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.NodeReport;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.attempt.ProjectorThreads;
import dev.eventing.sdk.projector.control.PauseSwitch;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.rebuild.GenerationBuilder;
import dev.eventing.sdk.projector.rebuild.GenerationSwitch;
import dev.eventing.sdk.projector.redrive.RedrivePoll;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.Stall;
import org.jspecify.annotations.Nullable;

/**
 * A generation that is fed beside the live one, from a start to a stop. One node owns it,
 * which need not be the owner of the live one. {@link #start} and {@link #stop} are for
 * one thread; the other methods are for any.
 */
final class GenerationContainer {

	/**
	 * How long the events may take that the live generation has settled before a switch.
	 */
	private static final Duration LAST_PART = Duration.ofSeconds(5);

	private final int generation;

	/** The projector's description under the name of the generation. */
	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final ProjectorThreads threads;

	private final RedrivePoll redrivePoll;

	private final PauseSwitch pause;

	private final GenerationBuilder builder;

	private final ProjectorCounters counters = new ProjectorCounters();

	private final Ownership ownership;

	GenerationContainer(ProjectorEndpoint live, int generation, ProjectorServices services, ProjectorThreads threads,
			RedrivePoll redrivePoll, PauseSwitch pause, GenerationBuilder builder) {
		ProjectorId id = live.id().ofGeneration(generation);
		this.generation = generation;
		this.endpoint = live.withId(id);
		this.services = services;
		this.threads = threads;
		this.redrivePoll = redrivePoll;
		this.pause = pause;
		this.builder = builder;
		this.ownership = new Ownership(id, services.leases(), new BesideProjector(live),
				live.options().flow().stalledAfter());
	}

	int generation() {
		return this.generation;
	}

	void start() throws InterruptedException {
		this.ownership.start();
	}

	/**
	 * Stops as a projector does.
	 * @param drain how long to wait for events that lanes hold
	 */
	void stop(Duration drain) throws InterruptedException {
		this.ownership.stop(drain);
	}

	/** What this node reports of the generation. */
	NodeReport report() {
		ProjectorStatus status = status();
		return new NodeReport(this.endpoint.name(), version(), this.endpoint.readModel().script() != null,
				status.state().name(), status.detail(), behind());
	}

	ProjectorStatus status() {
		RunningProjector current = this.ownership.running();
		if (current != null) {
			return current.status(this.ownership.failure());
		}
		CurrentState.Entry idle = this.ownership.state();
		return new ProjectorStatus(this.endpoint.name(), idle.state(), idle.detail(), idle.since(), 0, 0, 0,
				this.counters.snapshot());
	}

	/** Unknown while another node feeds it. */
	Behind behind() {
		RunningProjector current = this.ownership.running();
		return (current != null) ? current.behind(this.services.clock()) : Behind.UNKNOWN;
	}

	private int version() {
		return this.endpoint.readModel().version();
	}

	/** The generation's stall, or null. Sends no request. */
	@Nullable Stall stall() {
		return this.ownership.stall();
	}

	/** Looks soon whether something is requested. */
	void look() {
		this.ownership.look();
	}

	private final class BesideProjector implements OwnedProjector {

		private final GenerationSwitch switching;

		private BesideProjector(ProjectorEndpoint live) {
			this.switching = new GenerationSwitch(live, GenerationContainer.this.services,
					GenerationContainer.this.generation);
		}

		@Override
		public RunningProjector next(ProjectorLease lease) {
			return running(lease, GenerationContainer.this.builder.filling(GenerationContainer.this.generation));
		}

		/** It may be dropped by now. */
		@Override
		public boolean mustBeFed() {
			return false;
		}

		@Override
		public boolean isRequested() {
			return GenerationContainer.this.pause.requested() == Action.SWITCH;
		}

		@Override
		public boolean isRefused() {
			return false;
		}

		@Override
		public boolean serve(ProjectorLease lease, @Nullable Long settledTo) {
			return this.switching.serve(lease, settledTo, (position) -> feed(lease, position));
		}

		@Override
		public @Nullable Duration sinceCheck() {
			return this.switching.sinceCheck();
		}

		/** Feeds the generation up to a position, and stops it there. */
		private boolean feed(ProjectorLease lease, long position) {
			RunningProjector last = running(lease,
					GenerationContainer.this.builder.filling(GenerationContainer.this.generation).until(position));
			boolean started = false;
			try {
				last.start();
				started = true;
				boolean filled = last.awaitFilled(LAST_PART);
				Long settledTo = last.stop(LAST_PART);
				return filled && Objects.equals(settledTo, position);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return false;
			}
			finally {
				if (!started) {
					abandon(last);
				}
			}
		}

		private static void abandon(RunningProjector begun) {
			try {
				begun.abandon();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	private RunningProjector running(ProjectorLease lease, Filling filling) {
		RunContext context = new RunContext(lease, this.pause, filling, this.ownership::look,
				List.of(this.builder.boundary(filling)));
		ProjectorAssembly parts = new ProjectorAssembly(this.endpoint, this.services, this.threads, this.redrivePoll,
				this.counters, context);
		return new RunningProjector(this.endpoint, parts, this.counters, this.threads.tasks(), lease);
	}

}
