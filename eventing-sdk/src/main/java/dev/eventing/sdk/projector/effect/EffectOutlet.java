package dev.eventing.sdk.projector.effect;

import java.util.List;

import dev.eventing.sdk.projection.ledger.Effect;

/**
 * Where the effects of a part of a transaction go. Runs in that transaction, after the
 * handlers and their writes. Thread-safe.
 */
@FunctionalInterface
public interface EffectOutlet {

	/** Drops all: the generation never becomes live. */
	EffectOutlet NONE = (effects) -> {
	};

	/**
	 * Takes the effects, in the order in which handlers caused them.
	 * @param effects one or more
	 * @throws org.springframework.dao.DataAccessException if the database refuses; the
	 * transaction must roll back
	 */
	void take(List<Effect> effects);

}
