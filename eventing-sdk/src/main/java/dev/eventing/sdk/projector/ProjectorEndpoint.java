package dev.eventing.sdk.projector;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The description of a projector: what the registry makes a container from.
 *
 * @param name the projector's name, the first part of the key of
 * {@code processed_events}: a renamed projector is a new one
 * @param durableName the name of its durable consumer, if it reads JetStream
 * @param stream the JetStream stream it reads, or null: found by its subjects
 * @param handlers its handlers, at least one
 * @param options its effective options
 */
public record ProjectorEndpoint(String name, String durableName, @Nullable String stream, List<HandlerMethod> handlers,
		ProjectorOptions options) {

	public ProjectorEndpoint {
		handlers = List.copyOf(handlers);
	}

	/** Whether it reads the event store rather than JetStream. */
	public boolean readsEventStore() {
		return this.options.source() == Source.EVENT_STORE;
	}

	/**
	 * Whether one node at a time runs it, because order is to be kept; else nodes compete
	 * for its events.
	 */
	boolean hasOneOwner() {
		return readsEventStore() || this.options.ordering() != Ordering.NONE;
	}

	/**
	 * The filter subjects of the durable, each once, wildcards in place of the tenant.
	 */
	public Set<String> filterSubjects() {
		Set<String> filters = new LinkedHashSet<>();
		this.handlers.forEach((handler) -> filters.add(handler.subject().filter()));
		return filters;
	}

	/**
	 * Who takes an event: the handler of its type, else the one that takes what no other
	 * does, among those that listen to its subject; null if nobody does.
	 */
	@Nullable HandlerMethod handlerOf(String type, String subject) {
		HandlerMethod any = null;
		for (HandlerMethod handler : this.handlers) {
			if (handler.subject().matches(subject)) {
				if (handler.eventType().equals(type)) {
					return handler;
				}
				any = handler.eventType().equals(HandlerMethod.ANY_TYPE) ? handler : any;
			}
		}
		return any;
	}

}
