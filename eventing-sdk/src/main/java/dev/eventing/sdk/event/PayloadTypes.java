package dev.eventing.sdk.event;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The classes to which the events of one kind of stream are bound, by their names on the
 * wire. Immutable.
 *
 * @param <E> their common supertype
 */
public final class PayloadTypes<E> {

	private final Map<String, Class<? extends E>> byName;

	private PayloadTypes(List<Class<? extends E>> types) {
		Map<String, Class<? extends E>> byName = new HashMap<>();
		for (Class<? extends E> type : types) {
			EventTypes.namesOf(type).forEach((name) -> put(byName, name, type));
		}
		this.byName = Map.copyOf(byName);
	}

	private static <E> void put(Map<String, Class<? extends E>> byName, String name, Class<? extends E> type) {
		Class<? extends E> other = byName.put(name, type);
		if (other != null && other != type) {
			throw new InvalidEventException("'" + other.getName() + "' and '" + type.getName()
					+ "' both have the event type " + Quoted.of(name) + ". Consider @EventType on one of them.");
		}
	}

	/**
	 * These classes, each under the names {@link EventTypes#namesOf} gives.
	 * @throws InvalidEventException if two have the same name, or one has none
	 */
	@SafeVarargs
	public static <E> PayloadTypes<E> of(Class<? extends E>... types) {
		List<Class<? extends E>> all = new ArrayList<>();
		for (Class<? extends E> type : types) {
			all.add(type);
		}
		return new PayloadTypes<>(all);
	}

	/**
	 * The classes that a sealed type permits, directly or through permitted sealed types.
	 * @throws InvalidEventException if the type is not sealed, if it permits a class that
	 * is neither sealed nor final, if two classes have the same name, or if one has none
	 */
	public static <E> PayloadTypes<E> ofSealed(Class<E> type) {
		if (!type.isSealed()) {
			throw new InvalidEventException(
					"'" + type.getName() + "' is not sealed. Consider PayloadTypes.of with each class of an event.");
		}
		return new PayloadTypes<>(Permitted.by(type));
	}

	/** The names on the wire, with the aliases. */
	public Set<String> names() {
		return this.byName.keySet();
	}

	/** The classes by their names on the wire. */
	public Map<String, Class<? extends E>> byName() {
		return this.byName;
	}

	/**
	 * Binds the payload to the class that has the event's type as one of its names, in
	 * the version of the class.
	 * @throws UnknownEventTypeException if none of the classes has that name
	 * @throws PayloadBindingException if the payload does not fit the class
	 * @throws NewerEventException if the class has a lower version than the event
	 * @throws DroppedEventException if an upcaster drops the event, or it was erased
	 */
	public E bind(Event<UnboundPayload> event) {
		return event.payload().bind(classOf(event));
	}

	/**
	 * Binds the payload as {@link #bind} does. Empty if an upcaster drops the event, or
	 * it was erased.
	 */
	public Optional<E> bindKept(Event<UnboundPayload> event) {
		return event.payload().bindKept(classOf(event));
	}

	private Class<? extends E> classOf(Event<?> event) {
		Class<? extends E> type = this.byName.get(event.type());
		if (type == null) {
			throw new UnknownEventTypeException(event, new TreeSet<>(this.byName.keySet()));
		}
		return type;
	}

	@Override
	public String toString() {
		return "PayloadTypes" + new TreeSet<>(this.byName.keySet());
	}

	/** Walks down a hierarchy of sealed types. */
	private static final class Permitted {

		private Permitted() {
		}

		static <E> List<Class<? extends E>> by(Class<? extends E> sealed) {
			return Arrays.stream(sealed.getPermittedSubclasses())
				.<Class<? extends E>>map((type) -> type.asSubclass(sealed))
				.flatMap((type) -> type.isSealed() ? Permitted.<E>by(type).stream() : List.of(closed(type)).stream())
				.toList();
		}

		private static <E> Class<? extends E> closed(Class<? extends E> type) {
			if (!Modifier.isFinal(type.getModifiers())) {
				throw new InvalidEventException("'" + type.getName()
						+ "' is neither final nor sealed, so its events may be of classes not known here. "
						+ "Consider a record.");
			}
			return type;
		}

	}

}
