package dev.eventing.sdk.store;

import java.util.Objects;
import java.util.function.BiFunction;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.event.UnboundPayload;

/**
 * How the events of a stream become a state. Immutable; one for all streams of a kind.
 *
 * @param <S> the state's type
 * @param name what its snapshots are kept under, at most 255 characters
 * @param stateType the state's class, which Jackson can write and read if there are
 * snapshots
 * @param initial the state of a stream without events; never changed
 * @param evolve gives the next state, from nothing but the state and the event. It
 * changes neither.
 * @param snapshotEvery after how many events a snapshot is taken; 0 for never
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

	/** A fold over whole events, without snapshots, named like the state's class. */
	public static <S> Fold<S> of(Class<S> stateType, S initial, BiFunction<S, Event<UnboundPayload>, S> evolve) {
		return new Fold<>(stateType.getName(), stateType, initial, evolve, 0);
	}

	/** A fold over payloads, without snapshots, named like the state's class. */
	public static <S, E> Fold<S> of(Class<S> stateType, S initial, PayloadTypes<E> types, BiFunction<S, E, S> evolve) {
		return of(stateType, initial, (state, event) -> evolve.apply(state, types.bind(event)));
	}

	/** The same fold with a snapshot after so many events. */
	public Fold<S> withSnapshotEvery(int events) {
		return new Fold<>(this.name, this.stateType, this.initial, this.evolve, events);
	}

	/**
	 * The same fold under another name. To be called whenever {@link #evolve} changes
	 * what it makes of past events: snapshots of the old name are no longer looked at.
	 */
	public Fold<S> named(String name) {
		return new Fold<>(name, this.stateType, this.initial, this.evolve, this.snapshotEvery);
	}

	@Override
	public String toString() {
		return "Fold[" + this.name + "]";
	}

}
