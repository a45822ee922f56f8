package dev.eventing.sdk.projector.effect;

import java.util.function.Supplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.store.EventStore;

/**
 * Why handlers are called, and where their effects go.
 *
 * @param projector any generation of the projector
 * @param mode why they are called
 * @param store checks and completes effects; asked only if there are some
 * @param outlet takes the effects
 */
public record Handling(ProjectorId projector, HandlerMode mode, Supplier<EventStore> store, EffectOutlet outlet) {
}
