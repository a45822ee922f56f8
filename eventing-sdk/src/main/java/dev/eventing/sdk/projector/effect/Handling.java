package dev.eventing.sdk.projector.effect;

import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.store.EventStore;

/**
 * Why handlers are called, and where their effects go.
 *
 * @param projector any generation of the projector
 * @param mode why they are called
 * @param backfilled which events a backfill applies instead: their effects are dropped
 * @param store checks and completes effects; asked only if there are some
 * @param outlet takes the effects
 */
public record Handling(ProjectorId projector, HandlerMode mode, Predicate<RoutedEvent> backfilled,
		Supplier<EventStore> store, EffectOutlet outlet) {

	/** Why a handler gets an event. */
	public HandlerMode mode(RoutedEvent event) {
		return isBackfilled(event) ? HandlerMode.BACKFILL : this.mode;
	}

	boolean isBackfilled(RoutedEvent event) {
		return this.backfilled.test(event);
	}

}
