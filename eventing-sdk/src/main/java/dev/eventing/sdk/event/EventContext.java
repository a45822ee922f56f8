package dev.eventing.sdk.event;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Where new events come from: their correlation, their cause, and the actor. A context is
 * bound to a thread while a {@link Scope} is open. Events whose builder or draft sets no
 * value take it from the context.
 *
 * @param correlationId the id that all events of one business transaction share, or null
 * @param causationId the event or command that causes the new events, or null
 * @param actor the id of the acting user or process, or null; events carry it in the
 * header {@value #ACTOR_HEADER}
 */
public record EventContext(@Nullable String correlationId, @Nullable String causationId, @Nullable String actor) {

	/** The header that holds an event's actor, percent-encoded. */
	public static final String ACTOR_HEADER = "Eventing-Actor";

	/** A context without values. */
	public static final EventContext NONE = new EventContext(null, null, null);

	/** Supplies the context on demand, because most handlers never ask for it. */
	private static final ThreadLocal<@Nullable Supplier<EventContext>> CURRENT = new ThreadLocal<>();

	/** The context of this thread; {@link #NONE} if no scope is open. */
	public static EventContext current() {
		Supplier<EventContext> bound = CURRENT.get();
		return (bound != null) ? bound.get() : NONE;
	}

	/**
	 * The context of events that this event causes. They keep its correlation id, or take
	 * its id as theirs if it has none. The event is their cause, and its actor is their
	 * actor.
	 */
	public static EventContext causedBy(Event<?> event) {
		String id = event.id().toString();
		String actor = event.headers().first(ACTOR_HEADER);
		return new EventContext((event.correlationId() != null) ? event.correlationId() : id, id,
				(actor != null) ? PercentCoding.decode(actor) : null);
	}

	/**
	 * Binds this context to the thread until the same thread closes the scope. Other
	 * threads do not see it.
	 */
	public Scope open() {
		return bind(() -> this);
	}

	/**
	 * Binds the {@linkplain #causedBy context of events that this event causes}. The
	 * context is created only when code asks for it.
	 */
	public static Scope openCausedBy(Event<?> event) {
		return bind(() -> causedBy(event));
	}

	private static Scope bind(Supplier<EventContext> context) {
		Supplier<EventContext> before = CURRENT.get();
		CURRENT.set(context);
		// An empty entry of the thread is kept: to remove it and add it again for each
		// event costs more than a look at the context.
		return () -> CURRENT.set(before);
	}

	/** Runs the work in this context and returns its result. */
	public <T extends @Nullable Object> T call(Supplier<T> work) {
		Scope scope = open();
		try {
			return work.get();
		}
		finally {
			scope.close();
		}
	}

	/** Omits the actor, which may identify a person. */
	@Override
	public String toString() {
		return "EventContext[correlationId=" + this.correlationId + ", causationId=" + this.causationId + "]";
	}

	/**
	 * The time during which a context is bound. Closing it restores the previous context.
	 */
	@FunctionalInterface
	public interface Scope extends AutoCloseable {

		@Override
		void close();

	}

}
