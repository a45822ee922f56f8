package dev.eventing.sdk.projector.container;

import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.backfill.Backfill;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.effect.AppendedEffects;
import dev.eventing.sdk.projector.effect.EffectOutlet;
import dev.eventing.sdk.projector.effect.Handling;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.rebuild.DueEffects;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** What becomes of effects in one run of a projector. Sends no query by itself. */
final class RunEffects {

	private final ProjectorEndpoint endpoint;

	private final RunContext run;

	private final Supplier<EventStore> store;

	private final EffectLedger ledger;

	RunEffects(ProjectorEndpoint endpoint, ProjectorServices services, RunContext run, JdbcTemplate jdbc) {
		this.endpoint = endpoint;
		this.run = run;
		this.store = services.store().appends();
		this.ledger = new EffectLedger(jdbc, services.schema(), endpoint.id());
	}

	/** The handling of events that lanes apply. */
	Handling ofLanes() {
		Backfill backfill = this.run.backfill();
		return handling(this.run.mode(), (event) -> backfill != null && backfill.isOwn(event.eventKey()),
				outlet(this.run.filling()));
	}

	/** The handling of letters that are redriven. */
	Handling ofRedrives() {
		return handling(HandlerMode.REDRIVE, (event) -> false, outlet(null));
	}

	private Handling handling(HandlerMode mode, Predicate<RoutedEvent> backfilled, EffectOutlet outlet) {
		return new Handling(this.endpoint.id(), mode, backfilled, this.store, outlet);
	}

	private EffectOutlet outlet(@Nullable Filling filling) {
		if (!this.endpoint.hasEffects() || (filling != null && filling.isPast())) {
			return EffectOutlet.NONE;
		}
		if (filling != null && filling.isBeside()) {
			// The switch decides which of the stored effects are appended.
			return EffectOutlet.ofSome((causes) -> this.ledger.ahead(causes, filling.stream()),
					(effects) -> this.ledger.store(filling.generation(), effects));
		}
		AppendedEffects appended = appended();
		// In place, the effects of all events are settled, except of those that were
		// letters.
		return (filling != null) ? EffectOutlet.ofSome(this.ledger::takeOwed, appended::take) : appended;
	}

	private AppendedEffects appended() {
		return new AppendedEffects(this.ledger, this.store.get());
	}

	/** Runs in the transaction that completes a rebuild in place. */
	void filled() {
		this.ledger.filled();
	}

	/**
	 * Deletes stored effects whose events the live generation has applied meanwhile. Call
	 * it in a transaction.
	 */
	void tidy() {
		Filling filling = this.run.filling();
		if (filling != null && this.endpoint.hasEffects()) {
			this.ledger.forgetApplied(filling.generation(), filling.stream());
		}
	}

	/**
	 * Returns the worker that appends the effects which a switch found due, also those
	 * that other code caused; null if there are none.
	 */
	@Nullable SupervisedWorker due(FencedTransactions reading, DueEffects.TenantAppends appending, FailureText texts) {
		if (!this.run.hasDueEffects()) {
			return null;
		}
		return new DueEffects(this.endpoint.id(), reading, appending, this.ledger, this::appended, texts).worker();
	}

}
