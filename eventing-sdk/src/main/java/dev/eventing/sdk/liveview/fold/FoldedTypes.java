package dev.eventing.sdk.liveview.fold;

import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.InvalidEventException;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViewDefinition.Folded;

/** How a view folds events, by their types on the wire. Immutable. */
final class FoldedTypes<S> {

	private final Map<String, Folded<S>> folds = new HashMap<>();

	private final Map<String, Type> classes = new HashMap<>();

	/**
	 * Of a view's definition.
	 * @throws InvalidLiveViewException if two folds take the same type
	 */
	FoldedTypes(LiveViewDefinition<S> view) {
		view.folds().forEach((fold) -> types(view, fold.type()).byName().forEach((name, type) -> {
			if (this.folds.put(name, fold) != null) {
				throw new InvalidLiveViewException("Live view '" + view.name() + "' folds event type '" + name
						+ "' in two ways. Consider one method for the type.");
			}
			this.classes.put(name, type);
		}));
	}

	private static PayloadTypes<?> types(LiveViewDefinition<?> view, Class<?> type) {
		try {
			return type.isSealed() ? PayloadTypes.ofSealed(type) : PayloadTypes.of(type);
		}
		catch (InvalidEventException ex) {
			throw new InvalidLiveViewException("Live view '" + view.name() + "': " + ex.getMessage());
		}
	}

	/** The classes by the types on the wire. */
	Map<String, Type> classes() {
		return this.classes;
	}

	/**
	 * How an event is folded.
	 * @throws IllegalArgumentException if the view does not take its type
	 */
	Folded<S> of(Event<?> event) {
		Folded<S> fold = this.folds.get(event.type());
		if (fold == null) {
			throw new IllegalArgumentException(
					"Event type '" + event.type() + "' is none of " + this.folds.keySet() + ", which the view takes.");
		}
		return fold;
	}

}
