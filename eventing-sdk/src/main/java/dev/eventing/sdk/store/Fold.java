package dev.eventing.sdk.store;

import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.event.UnboundPayload;

/**
 * Computes a state from the events of a stream. Immutable; one fold serves all streams of
 * a kind.
 *
 * @param <S> the state's type
 * @param name the name under which snapshots are stored, at most 255 characters
 * @param stateType the state's class; with snapshots, Jackson must be able to write and
 * read it
 * @param initial the state of a stream without events; must not be modified
 * @param evolve computes the next state from the state and the event only, and modifies
 * neither
 * @param snapshotEvery the number of events after which a snapshot is taken; 0 for never
 */
public record Fold<S>(String name, Class<S> stateType, S initial, BiFunction<S, Event<UnboundPayload>, S> evolve,
		int snapshotEvery) {

	public Fold {
		Objects.requireNonNull(stateType, "stateType");
		Objects.requireNonNull(initial, "initial");
		Objects.requireNonNull(evolve, "evolve");
		if (name.isBlank() || name.length() > 255 || snapshotEvery < 0) {
			throw new IllegalArgumentException("Fold '" + name + "' takes a snapshot every " + snapshotEvery
					+ " events. Consider a name of 1 to 255 characters, and 0 or more events.");
		}
	}

	/** A fold over whole events, without snapshots, named after the state's class. */
	public static <S> Fold<S> of(Class<S> stateType, S initial, BiFunction<S, Event<UnboundPayload>, S> evolve) {
		return new Fold<>(stateType.getName(), stateType, initial, evolve, 0);
	}

	/**
	 * A fold over payloads, without snapshots, named after the state's class. It skips
	 * events that an upcaster drops.
	 */
	public static <S, E> Fold<S> of(Class<S> stateType, S initial, PayloadTypes<E> types, BiFunction<S, E, S> evolve) {
		return of(stateType, initial, (state, event) -> {
			Optional<E> payload = types.bindKept(event);
			return payload.isPresent() ? evolve.apply(state, payload.get()) : state;
		});
	}

	/** The same fold with a snapshot after this number of events. */
	public Fold<S> withSnapshotEvery(int events) {
		return new Fold<>(this.name, this.stateType, this.initial, this.evolve, events);
	}

	/**
	 * The same fold under another name. Change the name when {@link #evolve} computes
	 * another state from past events: snapshots under the old name are then ignored.
	 */
	public Fold<S> named(String name) {
		return new Fold<>(name, this.stateType, this.initial, this.evolve, this.snapshotEvery);
	}

	@Override
	public String toString() {
		return "Fold[" + this.name + "]";
	}

}
