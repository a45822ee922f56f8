package dev.eventing.sdk.projector.effect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projection.ledger.EffectTarget;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.PendingAppend;

/**
 * Appends the effects of a live generation. The first handling of an event that commits
 * decides about all of its effects: what another one would add later is dropped.
 */
public final class AppendedEffects implements EffectOutlet {

	private static final Comparator<EffectTarget> ORDER = Comparator
		.comparing((EffectTarget target) -> target.tenantId().value())
		.thenComparing(EffectTarget::streamId);

	private final EventStore store;

	private final EffectOutlet unsettled;

	/** Sends no query yet. */
	public AppendedEffects(EffectLedger ledger, EventStore store) {
		this.store = store;
		this.unsettled = EffectOutlet.ofSome(ledger::unsettled, this::append);
	}

	@Override
	public void take(List<Effect> effects) {
		this.unsettled.take(effects);
	}

	/**
	 * Appends effects that the event store does not have. Streams are locked in the order
	 * of their ids, so that two lanes do not wait for each other.
	 */
	public void append(List<Effect> effects) {
		Map<EffectTarget, List<Event<String>>> streams = new TreeMap<>(ORDER);
		effects.forEach((effect) -> streams.computeIfAbsent(EffectTarget.of(effect), (target) -> new ArrayList<>())
			.add(effect.event().event(effect.cause().tenantId())));
		streams.forEach((target, events) -> this.store
			.append(new PendingAppend(target.tenantId(), target.streamId(), ExpectedVersion.any(), events)));
	}

}
