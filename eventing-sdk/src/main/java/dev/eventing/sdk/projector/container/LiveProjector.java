package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.NavigableMap;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.backfill.Backfiller;
import dev.eventing.sdk.projector.control.PauseSwitch;
import dev.eventing.sdk.projector.rebuild.Adoption;
import dev.eventing.sdk.projector.rebuild.DueEffects;
import dev.eventing.sdk.projector.rebuild.DefinitionNews;
import dev.eventing.sdk.projector.rebuild.LiveHold;
import dev.eventing.sdk.projector.rebuild.LiveVersion;
import dev.eventing.sdk.projector.rebuild.Rebuilder;
import dev.eventing.sdk.projector.scope.ScopeRebuilder;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;

/** The live generation, which one node owns. */
final class LiveProjector implements OwnedProjector {

	private final NavigableMap<Integer, ProjectorEndpoint> versions;

	private final ProjectorRuns runs;

	private final PauseSwitch pause;

	private final LiveVersion live;

	private final LiveHold hold;

	/** For the version that feeds the live generation. */
	private volatile Rebuilder rebuilder;

	/** For the same version. */
	private volatile Adoption adoption;

	/** For the same version. */
	private volatile ScopeRebuilder scopes;

	/** For the same version. */
	private volatile Backfiller backfiller;

	/**
	 * Sends no query yet.
	 * @param versions the projector as this node has it, by version; at least one
	 * @param news logs how this node's code differs from what feeds the generation
	 */
	LiveProjector(NavigableMap<Integer, ProjectorEndpoint> versions, ProjectorRuns runs, DefinitionNews news) {
		ProjectorEndpoint newest = versions.lastEntry().getValue();
		this.versions = versions;
		this.runs = runs;
		this.pause = runs.pause();
		this.live = new LiveVersion(newest.id(), runs.services(), news);
		this.hold = new LiveHold(newest, runs.services());
		this.rebuilder = new Rebuilder(newest, runs.services());
		this.adoption = new Adoption(newest, runs.services());
		this.scopes = new ScopeRebuilder(newest, runs.services(), runs.node().texts());
		this.backfiller = new Backfiller(newest, runs.services());
	}

	@Override
	public RunningProjector next(ProjectorLease lease, Runnable onFilled) {
		ProjectorEndpoint version = this.live.find(lease, this.versions);
		this.rebuilder = new Rebuilder(version, this.runs.services());
		this.adoption = new Adoption(version, this.runs.services());
		this.scopes = new ScopeRebuilder(version, this.runs.services(), this.runs.node().texts());
		this.backfiller = new Backfiller(version, this.runs.services());
		Filling filling = this.rebuilder.filling(lease);
		if (filling != null) {
			return this.runs.create(version, RunContext.live(lease, filling, null, false, onFilled));
		}
		return this.runs.create(version, RunContext.live(lease, null, this.backfiller.underWay(lease),
				DueEffects.areLeft(version.id(), this.runs.services()), onFilled));
	}

	@Override
	public @Nullable Duration sinceCheck() {
		return this.scopes.sinceProgress();
	}

	@Override
	public boolean mustBeFed() {
		return true;
	}

	@Override
	public boolean isRequested() {
		Action requested = this.pause.requested();
		return this.pause.isHeld() || (requested != null && requested.needsRest());
	}

	private boolean isScope() {
		return this.pause.requested() == Action.REBUILD_SCOPE;
	}

	private boolean isBackfill() {
		return this.pause.requested() == Action.BACKFILL;
	}

	private boolean isAdoption() {
		return this.pause.requested() == Action.ADOPT;
	}

	@Override
	public boolean isRefused() {
		if (this.pause.isHeld()) {
			return false;
		}
		if (isScope()) {
			return this.scopes.isRefused();
		}
		if (isBackfill()) {
			return this.backfiller.isRefused();
		}
		return isAdoption() ? this.adoption.isRefused() : this.rebuilder.isRefused();
	}

	@Override
	public boolean waitsForRights(ProjectorLease lease) {
		return !this.pause.isHeld() && isAdoption() && !this.adoption.isRefused()
				&& this.adoption.waitsForRights(lease);
	}

	@Override
	public boolean serve(ProjectorLease lease, @Nullable Long settledTo, BooleanSupplier stops) {
		if (!this.pause.isHeld()) {
			if (isBackfill()) {
				return this.backfiller.serve(lease, settledTo);
			}
			if (isScope()) {
				return this.scopes.serve(lease, settledTo, stops);
			}
			return isAdoption() ? this.adoption.serve(lease, settledTo) : this.rebuilder.serve(lease, settledTo);
		}
		if (settledTo != null) {
			this.hold.await(lease, settledTo, stops);
			// This node takes the lease again, and learns the version. A database that is
			// set back to before the switch does not know the new grant.
			lease.end();
		}
		return settledTo != null;
	}

}
