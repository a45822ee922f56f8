package dev.eventing.sdk.projector;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;

/**
 * The description of a projector. The registry creates a container from it.
 *
 * @param id its id. It is part of the primary key of {@code processed_events}, so a
 * renamed projector is a new projector.
 * @param durableName the name of its durable consumer, used if it reads JetStream
 * @param stream the JetStream stream it reads, or null to find the stream by the subjects
 * @param handlers its handlers, at least one
 * @param options its effective options
 * @param readModel what it writes to, as far as it declares that
 * @param commits called after each commit of its events, {@link CommitListener#NONE} if
 * nothing is
 * @param key names the ordering keys of its events; null if the options or the events do
 */
public record ProjectorEndpoint(ProjectorId id, String durableName, @Nullable String stream,
		List<HandlerMethod> handlers, ProjectorOptions options, ReadModel readModel, CommitListener commits,
		@Nullable OrderingKey key) {

	public ProjectorEndpoint {
		handlers = List.copyOf(handlers);
	}

	/** Describes a projector without a listener. */
	public ProjectorEndpoint(ProjectorId id, String durableName, @Nullable String stream, List<HandlerMethod> handlers,
			ProjectorOptions options, ReadModel readModel) {
		this(id, durableName, stream, handlers, options, readModel, CommitListener.NONE, null);
	}

	/** Describes a projector that declares nothing of its read model. */
	public ProjectorEndpoint(ProjectorId id, String durableName, @Nullable String stream, List<HandlerMethod> handlers,
			ProjectorOptions options) {
		this(id, durableName, stream, handlers, options, ReadModel.NONE);
	}

	/**
	 * The projector's name, for messages; that of a generation has its number behind it.
	 */
	public String name() {
		return this.id.toString();
	}

	/** The same projector under another id, such as that of a generation. */
	public ProjectorEndpoint withId(ProjectorId other) {
		return new ProjectorEndpoint(other, this.durableName, this.stream,
				this.handlers.stream().map((handler) -> handler.of(other)).toList(), this.options, this.readModel,
				this.commits, this.key);
	}

	/** The same projector whose ordering keys are named by code. */
	public ProjectorEndpoint withKey(OrderingKey other) {
		return new ProjectorEndpoint(this.id, this.durableName, this.stream, this.handlers, this.options,
				this.readModel, this.commits, other);
	}

	/** The same projector with another listener. */
	public ProjectorEndpoint withCommits(CommitListener listener) {
		return new ProjectorEndpoint(this.id, this.durableName, this.stream, this.handlers, this.options,
				this.readModel, listener, this.key);
	}

	/**
	 * Returns the effective value of a setting that has a built-in one, as in
	 * {@code setting(ProjectorSettings::batchSize)}.
	 */
	public <T> T setting(Function<ProjectorSettings, @Nullable T> setting) {
		return this.options.get(setting);
	}

	/** Whether it reads the event store and not JetStream. */
	public boolean readsEventStore() {
		return setting(ProjectorSettings::source) == Source.EVENT_STORE || isInline();
	}

	/** Whether its handlers run in the transactions that append. */
	public boolean isInline() {
		return setting(ProjectorSettings::source) == Source.INLINE;
	}

	/**
	 * Whether one node at a time runs it. Otherwise nodes compete for its events.
	 */
	public boolean hasOneOwner() {
		return readsEventStore() || setting(ProjectorSettings::ordering) != Ordering.NONE;
	}

	/** Whether some of its handlers append events to the event store. */
	public boolean hasEffects() {
		return this.handlers.stream().anyMatch(HandlerMethod::effects);
	}

	/** Why its handlers cannot have {@link Effects}; null if they can, or have none. */
	public @Nullable String effectsRefusal() {
		if (!hasEffects()) {
			return null;
		}
		if (isInline()) {
			return "its handlers have Effects, but run inside an append, which cannot append. Consider"
					+ " source = EVENT_STORE.";
		}
		return (setting(ProjectorSettings::ordering) == Ordering.NONE)
				? "its handlers have Effects, but with ordering = NONE nodes compete for its events, and none knows what the"
						+ " others have applied. Consider ordering = PER_KEY."
				: null;
	}

	/**
	 * Returns how many connections of the DataSource a node needs that runs it: one for
	 * each lane, which holds it while its handlers run, and one to read, to save its
	 * position and to redrive.
	 */
	public int connections() {
		return setting(ProjectorSettings::concurrency) + 1;
	}

	/**
	 * Returns the filter subjects of the durable without repetitions, with a wildcard in
	 * place of the tenant.
	 */
	public Set<String> filterSubjects() {
		Set<String> filters = new LinkedHashSet<>();
		this.handlers.forEach((handler) -> filters.add(handler.subject().filter()));
		return filters;
	}

	/**
	 * Returns the handler that takes an event, among those that listen to its subject:
	 * the handler of its type, or else the handler of any type. Null if no handler takes
	 * it.
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
	 * Returns the token of a subject that is the tenant of an event of this type. The
	 * token's place is that of {@code {tenant}} in the subject of the handler that takes
	 * the event. If that subject has none, the other handlers that listen to the subject
	 * decide, if they agree.
	 * @param type the event's type, or null if the event has none
	 * @return the tenant, or null if no handler's subject has it or the handlers do not
	 * agree
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
