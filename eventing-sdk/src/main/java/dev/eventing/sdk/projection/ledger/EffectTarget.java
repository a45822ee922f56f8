package dev.eventing.sdk.projection.ledger;

import dev.eventing.sdk.event.TenantId;

/**
 * A stream of the event store to which effects are appended.
 *
 * @param tenantId its tenant
 * @param streamId its id
 */
public record EffectTarget(TenantId tenantId, String streamId) {

	/** That of an effect. */
	public static EffectTarget of(Effect effect) {
		return new EffectTarget(effect.cause().tenantId(), effect.event().streamId());
	}

}
