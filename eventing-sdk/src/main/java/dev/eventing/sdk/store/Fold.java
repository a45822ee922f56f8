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
 * @param version grows when {@link #evolve} computes another state from past events;
 * snapshots of other versions are ignored and replaced
 */
public record Fold<S>(String name, Class<S> stateType, S initial, BiFunction<S, Event<UnboundPayload>, S> evolve,
		int snapshotEvery, int version) {

	public Fold {
		Objects.requireNonNull(stateType, "stateType");
		Objects.requireNonNull(initial, "initial");
		Objects.requireNonNull(evolve, "evolve");
		if (name.isBlank() || name.length() > 255 || snapshotEvery < 0 || version < 1) {
			throw new IllegalArgumentException("Fold '" + name + "' of version " + version + " takes a snapshot every "
					+ snapshotEvery
					+ " events. Consider a name of 1 to 255 characters, a version from 1 on, and 0 or more events.");
		}
	}

	/** A fold over whole events, without snapshots, named after the state's class. */
	public static <S> Fold<S> of(Class<S> stateType, S initial, BiFunction<S, Event<UnboundPayload>, S> evolve) {
		return new Fold<>(stateType.getName(), stateType, initial, evolve, 0, 1);
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
		return new Fold<>(this.name, this.stateType, this.initial, this.evolve, events, this.version);
	}

	/** The same fold under another name, such as a second one of the same class. */
	public Fold<S> named(String name) {
		return new Fold<>(name, this.stateType, this.initial, this.evolve, this.snapshotEvery, this.version);
	}

	/**
	 * The same fold in another version. Raise it when {@link #evolve} computes another
	 * state from past events.
	 */
	public Fold<S> withVersion(int version) {
		return new Fold<>(this.name, this.stateType, this.initial, this.evolve, this.snapshotEvery, version);
	}

	@Override
	public String toString() {
		return "Fold[" + this.name + "]";
	}

}
