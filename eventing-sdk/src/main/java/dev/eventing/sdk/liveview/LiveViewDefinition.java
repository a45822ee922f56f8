package dev.eventing.sdk.liveview;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.jspecify.annotations.Nullable;

/**
 * A live view, defined by code. A bean of this type, or {@link LiveViews#define}, makes
 * it run. Immutable; created by {@link #of}.
 *
 * @param <S> the class of its states
 */
public final class LiveViewDefinition<S> {

	/** The event name of frames with a delta, unless the view has another one. */
	public static final String DELTA = "delta";

	private final Builder<S> facts;

	private final List<String> subjects;

	private final List<Folded<S>> folds;

	private LiveViewDefinition(Builder<S> facts) {
		this.facts = facts.copy();
		this.subjects = List.copyOf(facts.subjects);
		this.folds = List.copyOf(facts.folds);
	}

	/**
	 * Begins the definition of a view.
	 * @param name its name, which is that of its projector
	 * @param stateType the class of its states, which Jackson can write and bind
	 * @param initial makes the state of a key before its first event
	 */
	public static <S> Builder<S> of(String name, Class<S> stateType, Supplier<S> initial) {
		return new Builder<>(name, stateType, initial);
	}

	/** Its name, which is that of its projector. */
	public String name() {
		return this.facts.name;
	}

	/** The class of its states. */
	public Class<S> stateType() {
		return this.facts.stateType;
	}

	/** Makes the state of a key before its first event. */
	public Supplier<S> initial() {
		return this.facts.initial;
	}

	/** The subjects of its events. */
	public List<String> subjects() {
		return this.subjects;
	}

	/** How it folds events, by their classes. */
	public List<Folded<S>> folds() {
		return this.folds;
	}

	/** Whether one of its events may change several states. Then it has one lane. */
	public boolean hasManyKeys() {
		return this.folds.stream().anyMatch(Folded::many);
	}

	/** Makes deltas of its own; null if the SDK makes JSON merge patches. */
	public @Nullable Delta<S> delta() {
		return this.facts.delta;
	}

	/** The version of the view. */
	public int version() {
		return this.facts.version;
	}

	/** The event name of frames with a delta. */
	public String event() {
		return this.facts.event;
	}

	/** The most bytes that a state may have as JSON; null for the default. */
	public @Nullable Integer maxStateBytes() {
		return this.facts.maxStateBytes;
	}

	/** The stream that it reads; null to find it by the subjects. */
	public @Nullable String stream() {
		return this.facts.stream;
	}

	/** The settings of its projector. */
	public ProjectorSettings settings() {
		return this.facts.settings;
	}

	@Override
	public String toString() {
		return "LiveViewDefinition[" + name() + "]";
	}

	/**
	 * How events of one class are folded.
	 *
	 * @param type the class of the payload, or a sealed type
	 * @param keys the keys of the states that the event changes; none if the view has no
	 * interest in it
	 * @param many whether there may be several keys
	 * @param apply the state of a key after the event
	 */
	public record Folded<S>(Class<?> type, Function<Event<?>, Collection<String>> keys, boolean many,
			KeyedFold<S, Event<?>> apply) {
	}

	/** Computes the state of one key after an event, and does nothing else. */
	@FunctionalInterface
	public interface KeyedFold<S, E> {

		/**
		 * Returns the state after the event.
		 * @param state the state of the key before the event, which may be changed
		 * @param key the key of the state
		 */
		S apply(S state, E event, String key);

	}

	/** Makes the delta of one event, which Jackson can write. */
	@FunctionalInterface
	public interface Delta<S> {

		/**
		 * Makes the delta.
		 * @param before the state before the event
		 * @param after the state after it
		 * @return what is pushed as JSON
		 */
		Object of(S before, S after, Event<?> event);

	}

	/** Builds a definition. Not thread-safe. */
	public static final class Builder<S> {

		private final String name;

		private final Class<S> stateType;

		private final Supplier<S> initial;

		private final List<String> subjects = new ArrayList<>();

		private final List<Folded<S>> folds = new ArrayList<>();

		private @Nullable Delta<S> delta;

		private int version = 1;

		private String event = DELTA;

		private @Nullable Integer maxStateBytes;

		private @Nullable String stream;

		private ProjectorSettings settings = ProjectorSettings.NONE;

		private Builder(String name, Class<S> stateType, Supplier<S> initial) {
			this.name = Objects.requireNonNull(name, "name");
			this.stateType = Objects.requireNonNull(stateType, "stateType");
			this.initial = Objects.requireNonNull(initial, "initial");
		}

		private Builder<S> copy() {
			Builder<S> copy = new Builder<>(this.name, this.stateType, this.initial);
			copy.delta = this.delta;
			copy.version = this.version;
			copy.event = this.event;
			copy.maxStateBytes = this.maxStateBytes;
			copy.stream = this.stream;
			copy.settings = this.settings;
			return copy;
		}

		/** Adds subjects of events, in the form of {@link LiveView#subject}. */
		public Builder<S> subject(String... subjects) {
			this.subjects.addAll(List.of(subjects));
			return this;
		}

		/**
		 * Folds payloads of a class, or of all classes that a sealed type permits.
		 * @param key the key, or null if the view has no interest in the event
		 * @param apply the state after the event; it may be the same object, changed
		 */
		public <E> Builder<S> on(Class<E> type, Function<? super E, @Nullable String> key,
				BiFunction<S, ? super E, S> apply) {
			return onEvent(type, (event) -> key.apply(event.payload()),
					(state, event) -> apply.apply(state, event.payload()));
		}

		/** As {@link #on}, with all of the event. */
		public <E> Builder<S> onEvent(Class<E> type, Function<Event<E>, @Nullable String> key,
				BiFunction<S, Event<E>, S> apply) {
			this.folds.add(new Folded<>(type, (event) -> atMostOne(key.apply(of(event, type))), false,
					(state, event, each) -> apply.apply(state, of(event, type))));
			return this;
		}

		private static Collection<String> atMostOne(@Nullable String key) {
			return (key != null) ? List.of(key) : List.of();
		}

		/**
		 * Folds payloads of a class into the states of several keys: all of them or none.
		 * Such a view needs {@code concurrency} 1, and its events of one tenant are
		 * applied in one order, whatever their keys are.
		 * @param keys the keys, each counts once; null or empty if the view has no
		 * interest in the event
		 * @param apply the state of a key after the event, called once for each key
		 */
		public <E> Builder<S> onKeys(Class<E> type, Function<? super E, ? extends @Nullable Collection<String>> keys,
				KeyedFold<S, ? super E> apply) {
			return onEventKeys(type, (event) -> keys.apply(event.payload()),
					(state, event, key) -> apply.apply(state, event.payload(), key));
		}

		/** As {@link #onKeys}, with all of the event. */
		public <E> Builder<S> onEventKeys(Class<E> type,
				Function<Event<E>, ? extends @Nullable Collection<String>> keys, KeyedFold<S, Event<E>> apply) {
			this.folds.add(new Folded<>(type, (event) -> all(keys.apply(of(event, type))), true,
					(state, event, key) -> apply.apply(state, of(event, type), key)));
			return this;
		}

		private static Collection<String> all(@Nullable Collection<String> keys) {
			return (keys != null) ? keys : List.of();
		}

		private static <E> Event<E> of(Event<?> event, Class<E> type) {
			return event.map(type::cast);
		}

		/** Lets the view make its own deltas. Clients need to know how to fold them. */
		public Builder<S> deltas(Delta<S> delta) {
			this.delta = delta;
			return this;
		}

		/**
		 * The version of the view, which grows when it computes other states, and when
		 * the class of the states gains or loses a property.
		 */
		public Builder<S> version(int version) {
			this.version = version;
			return this;
		}

		/** The event name of frames with a delta, in place of {@value #DELTA}. */
		public Builder<S> event(String event) {
			this.event = event;
			return this;
		}

		/** The most bytes that a state may have as JSON. */
		public Builder<S> maxStateBytes(int bytes) {
			this.maxStateBytes = bytes;
			return this;
		}

		/** The stream that it reads, in place of that which carries the subjects. */
		public Builder<S> stream(String stream) {
			this.stream = stream;
			return this;
		}

		/** Changes settings of its projector. The ordering and its key are the view's. */
		public Builder<S> settings(Consumer<ProjectorSettings.Builder> change) {
			ProjectorSettings.Builder builder = this.settings.toBuilder();
			change.accept(builder);
			this.settings = builder.build();
			return this;
		}

		/** Returns the definition, which is checked when the view is registered. */
		public LiveViewDefinition<S> build() {
			return new LiveViewDefinition<>(this);
		}

	}

}
