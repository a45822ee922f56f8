package dev.eventing.sdk.projector.effect;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.delivery.RoutedEvent;

/** The effects of a part of a transaction. For one thread. */
public final class PartEffects {

	private final Handling handling;

	private final List<Effect> caused = new ArrayList<>(0);

	/** Begins a part of a transaction. */
	public PartEffects(Handling handling) {
		this.handling = handling;
	}

	/** Why a handler gets an event. */
	public HandlerMode mode(RoutedEvent event) {
		return this.handling.mode(event);
	}

	/** Opens the effects of one call of a handler, with one event. */
	public HandlerEffects open(HandlerMethod handler, RoutedEvent event) {
		List<Effect> taken = this.handling.isBackfilled(event) ? new ArrayList<>(0) : this.caused;
		return new HandlerEffects(handler, event, this.handling, taken);
	}

	/** Passes the effects on, after the handlers and their writes. */
	public void complete() {
		if (!this.caused.isEmpty()) {
			this.handling.outlet().take(List.copyOf(this.caused));
		}
	}

}
