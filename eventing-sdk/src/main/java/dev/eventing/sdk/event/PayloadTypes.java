package dev.eventing.sdk.event;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
			Class<? extends E> other = byName.put(EventTypes.nameOf(type), type);
			if (other != null && other != type) {
				throw new InvalidEventException(
						"'" + other.getName() + "' and '" + type.getName() + "' both have the event type "
								+ Quoted.of(EventTypes.nameOf(type)) + ". Consider @EventType on one of them.");
			}
		}
		this.byName = Map.copyOf(byName);
	}

	/**
	 * These classes, each under the name {@link EventTypes#nameOf} gives.
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

	/** The names on the wire. */
	public Set<String> names() {
		return this.byName.keySet();
	}

	/**
	 * Binds the payload to the class that has the event's type as its name.
	 * @throws UnknownEventTypeException if none of the classes has that name
	 * @throws PayloadBindingException if the payload does not fit the class
	 */
	public E bind(Event<UnboundPayload> event) {
		Class<? extends E> type = this.byName.get(event.type());
		if (type == null) {
			throw new UnknownEventTypeException(event, new TreeSet<>(this.byName.keySet()));
		}
		return event.payload().bind(type);
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
