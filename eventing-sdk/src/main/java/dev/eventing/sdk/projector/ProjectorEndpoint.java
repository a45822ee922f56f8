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
	public boolean hasOneOwner() {
		return readsEventStore() || this.options.order().ordering() != Ordering.NONE;
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
	public @Nullable HandlerMethod handlerOf(String type, String subject) {
		HandlerMethod any = null;
		for (HandlerMethod handler : this.handlers) {
			if (handler.subject().matches(subject)) {
				if (handler.takes(type)) {
					return handler;
				}
				any = handler.takesAny() ? handler : any;
			}
		}
		return any;
	}

	/**
	 * The token of a subject that is the tenant of an event of this type: where the
	 * handler that takes it has {@code {tenant}}, else where the others have it that
	 * listen to the subject, if they agree.
	 * @param type the event's type, or null if it says none
	 * @return null if none of them has it, or they do not agree
	 */
	public @Nullable String tenantToken(@Nullable String type, String subject) {
		HandlerMethod taker = (type != null) ? handlerOf(type, subject) : null;
		if (taker != null && taker.subject().hasTenant()) {
			return taker.subject().tenantToken(subject);
		}
		String agreed = null;
		for (HandlerMethod handler : this.handlers) {
			if (handler.subject().hasTenant() && handler.subject().matches(subject)) {
				String token = handler.subject().tenantToken(subject);
				if (agreed != null && !agreed.equals(token)) {
					return null;
				}
				agreed = token;
			}
		}
		return agreed;
	}

}
