package dev.eventing.sdk.projector.effect;

import java.util.List;
import java.util.Set;

import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.Effect.Cause;
import dev.eventing.sdk.projection.ledger.EffectLedger;

/**
 * Appends the effects of a live generation that is filled in place, as far as their
 * events were letters before. The projector has all others behind it.
 */
public final class OwedEffects implements EffectOutlet {

	private final EffectLedger ledger;

	private final AppendedEffects appended;

	/** Sends no query yet. */
	public OwedEffects(EffectLedger ledger, AppendedEffects appended) {
		this.ledger = ledger;
		this.appended = appended;
	}

	@Override
	public void take(List<Effect> effects) {
		Set<Cause> owed = this.ledger.takeOwed(AppendedEffects.causes(effects));
		List<Effect> caused = effects.stream().filter((effect) -> owed.contains(effect.cause())).toList();
		if (!caused.isEmpty()) {
			this.appended.take(caused);
		}
	}

}
