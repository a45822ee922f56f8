package dev.eventing.sdk.projector.effect;

import java.util.List;
import java.util.Set;

import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.Effect.Cause;
import dev.eventing.sdk.projection.ledger.EffectLedger;

/**
 * Stores the effects of a generation beside the live one, as far as the live one has not
 * applied their events. It may do that later: the switch decides.
 */
public final class StoredEffects implements EffectOutlet {

	private final EffectLedger ledger;

	private final int generation;

	/** Sends no query yet. */
	public StoredEffects(EffectLedger ledger, int generation) {
		this.ledger = ledger;
		this.generation = generation;
	}

	@Override
	public void take(List<Effect> effects) {
		Set<Cause> behind = this.ledger.behind(AppendedEffects.causes(effects));
		List<Effect> caused = effects.stream().filter((effect) -> !behind.contains(effect.cause())).toList();
		if (!caused.isEmpty()) {
			this.ledger.store(this.generation, caused);
		}
	}

}
