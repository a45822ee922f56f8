package dev.eventing.sdk.liveview;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsBuilder;
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
	 * @param key the key of the state that the event changes, or null if the view has no
	 * interest in it
	 * @param apply the state after the event
	 */
	public record Folded<S>(Class<?> type, Function<Event<?>, @Nullable String> key, BiFunction<S, Event<?>, S> apply) {
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
			this.folds.add(new Folded<>(type, (event) -> key.apply(of(event, type)),
					(state, event) -> apply.apply(state, of(event, type))));
			return this;
		}

		private static <E> Event<E> of(Event<?> event, Class<E> type) {
			return event.map(type::cast);
		}

		/** Lets the view make its own deltas. Clients need to know how to fold them. */
		public Builder<S> deltas(Delta<S> delta) {
			this.delta = delta;
			return this;
		}

		/** The version of the view, which grows when it computes other states. */
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
		public Builder<S> settings(Consumer<ProjectorSettingsBuilder> change) {
			ProjectorSettingsBuilder builder = this.settings.toBuilder();
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
