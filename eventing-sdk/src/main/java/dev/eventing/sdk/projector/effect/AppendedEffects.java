package dev.eventing.sdk.projector.effect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.Effect.Cause;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.PendingAppend;

/**
 * Appends the effects of a live generation. The first handling of an event that commits
 * decides about all of its effects: what another one would add later is dropped.
 */
public final class AppendedEffects implements EffectOutlet {

	private static final Comparator<Target> ORDER = Comparator.comparing((Target target) -> target.tenantId().value())
		.thenComparing(Target::streamId);

	private final EffectLedger ledger;

	private final EventStore store;

	/** Sends no query yet. */
	public AppendedEffects(EffectLedger ledger, EventStore store) {
		this.ledger = ledger;
		this.store = store;
	}

	@Override
	public void take(List<Effect> effects) {
		Set<Cause> settled = this.ledger.settled(causes(effects));
		append(effects.stream().filter((effect) -> !settled.contains(effect.cause())).toList());
	}

	static Set<Cause> causes(List<Effect> effects) {
		return effects.stream().map(Effect::cause).collect(Collectors.toSet());
	}

	/**
	 * Appends effects that the event store does not have. Streams are locked in the order
	 * of their ids, so that two lanes do not wait for each other.
	 */
	public void append(List<Effect> effects) {
		Map<Target, List<Event<String>>> streams = new TreeMap<>(ORDER);
		effects.forEach((effect) -> {
			TenantId tenant = effect.cause().tenantId();
			streams.computeIfAbsent(new Target(tenant, effect.event().streamId()), (target) -> new ArrayList<>())
				.add(effect.event().event(tenant));
		});
		streams.forEach((target, events) -> this.store
			.append(new PendingAppend(target.tenantId(), target.streamId(), ExpectedVersion.any(), events)));
	}

	/** A stream of the event store. */
	private record Target(TenantId tenantId, String streamId) {
	}

}
