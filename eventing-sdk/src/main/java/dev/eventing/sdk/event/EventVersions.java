package dev.eventing.sdk.event;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;

import dev.eventing.sdk.InvalidDeclarationException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The versions of an application's event types: how old events are read, and in which
 * version new ones are written. Immutable, and thread-safe if the upcasters and
 * downcasters are.
 */
public final class EventVersions {

	/** Without upcasters. Events are written in the version of their class. */
	public static final EventVersions NONE = of(List.of(), List.of(), WrittenVersions.NEWEST);

	private final Map<String, SortedMap<Integer, EventUpcaster>> upcasters;

	private final Map<String, SortedMap<Integer, EventDowncaster>> downcasters;

	private final Map<String, Integer> written;

	private EventVersions(Map<String, SortedMap<Integer, EventUpcaster>> upcasters,
			Map<String, SortedMap<Integer, EventDowncaster>> downcasters, Map<String, Integer> written) {
		this.upcasters = upcasters;
		this.downcasters = downcasters;
		this.written = written;
	}

	/**
	 * The versions of an application.
	 * @throws InvalidDeclarationException with all problems: two upcasters take the same
	 * version of a type, a version between those of others has none, or a written version
	 * has no downcaster
	 */
	public static EventVersions of(Collection<? extends EventUpcaster> upcasters,
			Collection<? extends EventDowncaster> downcasters, WrittenVersions written) {
		List<String> problems = new ArrayList<>();
		Map<String, SortedMap<Integer, EventUpcaster>> up = byType(upcasters, EventUpcaster::eventType,
				EventUpcaster::fromVersion, problems);
		Map<String, SortedMap<Integer, EventDowncaster>> down = byType(downcasters, EventDowncaster::eventType,
				EventDowncaster::toVersion, problems);
		up.forEach((type, steps) -> problems.addAll(gaps(type, steps.firstKey(), steps.lastKey(), steps)));
		down.forEach((type, steps) -> {
			for (int to = steps.firstKey(); to < steps.lastKey(); to++) {
				require(type, to, steps, problems);
			}
		});
		written.byType()
			.forEach((type, version) -> require(type, version, down.getOrDefault(type, new TreeMap<>()), problems));
		requireNone(problems);
		return new EventVersions(up, down, written.byType());
	}

	private static void require(String type, int to, Map<Integer, EventDowncaster> steps, List<String> problems) {
		if (!steps.containsKey(to)) {
			problems.add(noDowncaster(type, to));
		}
	}

	private static <T> Map<String, SortedMap<Integer, T>> byType(Collection<? extends T> steps,
			Function<T, String> type, ToIntFunction<T> version, List<String> problems) {
		Map<String, SortedMap<Integer, T>> byType = new TreeMap<>();
		for (T step : steps) {
			int own = version.applyAsInt(step);
			T other = byType.computeIfAbsent(type.apply(step), (each) -> new TreeMap<>()).put(own, step);
			if (other != null) {
				problems.add(twice(step, other, own, type.apply(step)));
			}
			if (own < 1) {
				problems.add("'" + step.getClass().getName() + "' is for version " + own + " of event type "
						+ Quoted.of(type.apply(step)) + ". Consider a version from 1 on.");
			}
		}
		return byType;
	}

	private static String twice(Object step, Object other, int version, String type) {
		return "'" + step.getClass().getName() + "' is for version " + version + " of event type " + Quoted.of(type)
				+ ", and so is '" + other.getClass().getName() + "'. Consider one of them.";
	}

	private static List<String> gaps(String type, int from, int to, Map<Integer, ?> steps) {
		List<String> gaps = new ArrayList<>();
		for (int version = from; version <= to; version++) {
			if (!steps.containsKey(version)) {
				gaps.add("No upcaster leads from version " + version + " of event type " + Quoted.of(type)
						+ " to version " + (version + 1) + ". Consider an EventUpcaster bean with fromVersion() "
						+ version + ".");
			}
		}
		return gaps;
	}

	private static String noDowncaster(String type, int version) {
		return "No downcaster leads from version " + (version + 1) + " of event type " + Quoted.of(type)
				+ " to version " + version + ". Consider an EventDowncaster bean with toVersion() " + version + ".";
	}

	private static void requireNone(List<String> problems) {
		if (!problems.isEmpty()) {
			throw new InvalidDeclarationException("The versions of event types are not valid:",
					"Change the beans above, or 'eventing.events.written-versions'. Each line has what to consider.",
					problems);
		}
	}

	/**
	 * Makes sure that events of every earlier version can be bound to a class. Its names
	 * have one chain of upcasters.
	 * @throws InvalidDeclarationException names the versions that have no upcaster, or
	 * two
	 * @throws InvalidEventException if the class has no valid {@link EventType}
	 */
	public void requireComplete(Class<?> type) {
		EventClass known = EventClass.of(type);
		Map<Integer, EventUpcaster> steps = new HashMap<>();
		List<String> problems = new ArrayList<>();
		for (String name : known.names()) {
			this.upcasters.getOrDefault(name, new TreeMap<>()).forEach((version, step) -> {
				EventUpcaster other = steps.putIfAbsent(version, step);
				if (other != null) {
					problems.add(twice(step, other, version, name));
				}
			});
		}
		if (known.version() > 1) {
			problems.addAll(gaps(known.names().get(0), 1, known.version() - 1, steps));
		}
		requireNone(problems);
	}

	/**
	 * The payload in the version of a class; null if an upcaster drops the event.
	 * @param from the version in which it was written, below that of the class
	 * @throws UnusableStepException if an upcaster is missing or throws
	 */
	@Nullable JsonNode upcast(EventClass to, int from, JsonNode payload) {
		JsonNode current = payload;
		for (int version = from; version < to.version(); version++) {
			EventUpcaster step = step(this.upcasters, to, version);
			if (step == null) {
				throw new UnusableStepException("no upcaster leads from version " + version + " of event type "
						+ Quoted.of(to.names().get(0)) + " to version " + (version + 1));
			}
			try {
				current = step.upcast(current);
			}
			catch (RuntimeException ex) {
				throw new UnusableStepException(
						"its upcaster from version " + version + " threw " + ex.getClass().getName());
			}
			if (current == null) {
				return null;
			}
		}
		return current;
	}

	/** The version in which events of a class are written, at most that of the class. */
	int written(EventClass of) {
		int lowest = of.version();
		if (!this.written.isEmpty()) {
			for (String name : of.names()) {
				lowest = Math.min(lowest, this.written.getOrDefault(name, lowest));
			}
		}
		return lowest;
	}

	/**
	 * The payload of a class in an earlier version.
	 * @throws UnusableStepException if a downcaster is missing or throws
	 */
	JsonNode downcast(EventClass from, int to, JsonNode payload) {
		JsonNode current = payload;
		for (int version = from.version() - 1; version >= to; version--) {
			EventDowncaster step = step(this.downcasters, from, version);
			if (step == null) {
				throw new UnusableStepException(noDowncaster(from.names().get(0), version));
			}
			try {
				current = step.downcast(current);
			}
			catch (RuntimeException ex) {
				throw new UnusableStepException(
						"its downcaster to version " + version + " threw " + ex.getClass().getName());
			}
		}
		return current;
	}

	private static <T> @Nullable T step(Map<String, SortedMap<Integer, T>> steps, EventClass of, int version) {
		for (String name : of.names()) {
			SortedMap<Integer, T> own = steps.get(name);
			T step = (own != null) ? own.get(version) : null;
			if (step != null) {
				return step;
			}
		}
		return null;
	}

	/** A step between two versions is missing or threw. Its message has no payload. */
	static final class UnusableStepException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnusableStepException(String problem) {
			super(problem);
		}

	}

}
