package dev.eventing.sdk.projector.backfill;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * The handlers and types that a backfill means, in the code of this node.
 *
 * @param handlers the handlers that run
 * @param types the names of the types that they get, with all aliases
 * @param refusal why there are none, or null
 */
record BackfillScope(List<HandlerMethod> handlers, SortedSet<String> types, @Nullable String refusal) {

	/**
	 * Looks.
	 * @param options what was requested
	 */
	static BackfillScope of(ProjectorEndpoint endpoint, BackfillOptions options) {
		List<HandlerMethod> handlers = named(endpoint, options.handler());
		if (handlers.isEmpty()) {
			return refused("It has no handler '" + options.handler() + "'. Consider " + all(endpoint) + ".");
		}
		if (options.handler() != null && handlers.size() > 1) {
			return refused("Several handlers are called '" + options.handler() + "'. Consider one of "
					+ describe(handlers) + ".");
		}
		Set<String> wanted = options.types().isEmpty() ? explicit(handlers) : options.types();
		if (wanted.isEmpty()) {
			return refused("Handler " + describe(handlers) + " takes events of any type. Consider naming the types.");
		}
		SortedSet<String> types = new TreeSet<>();
		for (String type : wanted) {
			HandlerMethod taker = taker(endpoint, handlers, type);
			if (taker == null) {
				return refused("No handler takes events of type '" + type + "'"
						+ ((options.handler() != null) ? " but others than '" + options.handler() + "'" : "")
						+ ". Its handlers take " + taken(endpoint) + ".");
			}
			types.addAll(names(taker, type));
		}
		return new BackfillScope(handlers, types, null);
	}

	private static BackfillScope refused(String why) {
		return new BackfillScope(List.of(), new TreeSet<>(), why);
	}

	private static List<HandlerMethod> named(ProjectorEndpoint endpoint, @Nullable String name) {
		return (name == null) ? endpoint.handlers()
				: endpoint.handlers().stream().filter((each) -> isNamed(each.description(), name)).toList();
	}

	/**
	 * A description such as {@code OrderSummary.on(OrderCreated)} may lack its class or
	 * its parameters.
	 */
	private static boolean isNamed(String description, String name) {
		int parameters = description.indexOf('(');
		String method = (parameters >= 0) ? description.substring(0, parameters) : description;
		String simple = method.substring(method.lastIndexOf('.') + 1);
		return description.equals(name) || method.equals(name) || simple.equals(name)
				|| (parameters >= 0 && (simple + description.substring(parameters)).equals(name));
	}

	private static Set<String> explicit(List<HandlerMethod> handlers) {
		return handlers.stream()
			.flatMap((each) -> each.payloadTypes().keySet().stream())
			.filter((type) -> !type.equals(HandlerMethod.ANY_TYPE))
			.collect(Collectors.toSet());
	}

	/** One that names the type goes before one that takes any. */
	private static @Nullable HandlerMethod taker(ProjectorEndpoint endpoint, List<HandlerMethod> handlers,
			String type) {
		List<HandlerMethod> naming = endpoint.handlers().stream().filter((each) -> each.takes(type)).toList();
		return handlers.stream()
			.filter((each) -> naming.isEmpty() ? each.takesAny() : naming.contains(each))
			.findFirst()
			.orElse(null);
	}

	/** The names under which events of this type may be stored. */
	private static Set<String> names(HandlerMethod taker, String type) {
		Type payload = taker.payloadTypes().get(type);
		return (payload == null) ? Set.of(type)
				: taker.payloadTypes()
					.entrySet()
					.stream()
					.filter((each) -> each.getValue().equals(payload) && !each.getKey().equals(HandlerMethod.ANY_TYPE))
					.map(Map.Entry::getKey)
					.collect(Collectors.toSet());
	}

	private static String taken(ProjectorEndpoint endpoint) {
		return String.join(", ", new TreeSet<>(explicit(endpoint.handlers())));
	}

	private static String all(ProjectorEndpoint endpoint) {
		return describe(endpoint.handlers());
	}

	private static String describe(List<HandlerMethod> handlers) {
		return handlers.stream().map(HandlerMethod::description).sorted().collect(Collectors.joining(", "));
	}

}
