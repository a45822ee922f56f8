package dev.eventing.sdk.projector.effect;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.eventing.sdk.projection.ledger.Effect;
import dev.eventing.sdk.projection.ledger.Effect.Cause;

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
	 * Passes the effects of some events on, and drops the others.
	 * @param chosen returns, of these events, those whose effects are passed on
	 */
	static EffectOutlet ofSome(UnaryOperator<Set<Cause>> chosen, Consumer<List<Effect>> next) {
		return (effects) -> {
			Set<Cause> wanted = chosen.apply(effects.stream().map(Effect::cause).collect(Collectors.toSet()));
			List<Effect> some = effects.stream().filter((effect) -> wanted.contains(effect.cause())).toList();
			if (!some.isEmpty()) {
				next.accept(some);
			}
		};
	}

	/**
	 * Takes the effects, in the order in which handlers caused them.
	 * @param effects one or more
	 * @throws org.springframework.dao.DataAccessException if the database refuses; the
	 * transaction must roll back
	 */
	void take(List<Effect> effects);

}
