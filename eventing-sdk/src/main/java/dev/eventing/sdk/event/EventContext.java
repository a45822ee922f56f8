package dev.eventing.sdk.event;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Why something happens: what events that are produced now belong to, are caused by, and
 * who acts. It is bound to a thread while a {@link Scope} is open; events whose builder
 * or draft says nothing itself take it from there.
 *
 * @param correlationId the conversation, or null
 * @param causationId the event or command that causes what happens now, or null
 * @param actor who acts, such as a user's id, or null; events carry it in the header
 * {@value #ACTOR_HEADER}
 */
public record EventContext(@Nullable String correlationId, @Nullable String causationId, @Nullable String actor) {

	/** Where an event says who acted, percent-encoded. */
	public static final String ACTOR_HEADER = "Eventing-Actor";

	/** Tells nothing. */
	public static final EventContext NONE = new EventContext(null, null, null);

	/** What tells the context; most handlers never ask. */
	private static final ThreadLocal<Supplier<EventContext>> CURRENT = new ThreadLocal<>();

	/** The context of this thread; {@link #NONE} if no scope is open. */
	public static EventContext current() {
		Supplier<EventContext> bound = CURRENT.get();
		return (bound != null) ? bound.get() : NONE;
	}

	/**
	 * The context of what this event causes: its conversation goes on, or it is the first
	 * of one; it is the cause; and who acted then acts now.
	 */
	public static EventContext causedBy(Event<?> event) {
		String id = event.id().toString();
		String actor = event.headers().first(ACTOR_HEADER);
		return new EventContext((event.correlationId() != null) ? event.correlationId() : id, id,
				(actor != null) ? PercentCoding.decode(actor) : null);
	}

	/**
	 * Binds this context to the thread until the scope is closed, by the same thread.
	 * Other threads see nothing of it.
	 */
	public Scope open() {
		return bind(() -> this);
	}

	/**
	 * Binds the {@linkplain #causedBy context of what this event causes}, which is worked
	 * out only if somebody asks for it.
	 */
	public static Scope openCausedBy(Event<?> event) {
		return bind(() -> causedBy(event));
	}

	private static Scope bind(Supplier<EventContext> context) {
		Supplier<EventContext> before = CURRENT.get();
		CURRENT.set(context);
		return () -> restore(before);
	}

	/** Runs something in this context. */
	public <T extends @Nullable Object> T call(Supplier<T> work) {
		Scope scope = open();
		try {
			return work.get();
		}
		finally {
			scope.close();
		}
	}

	private static void restore(@Nullable Supplier<EventContext> before) {
		if (before != null) {
			CURRENT.set(before);
		}
		else {
			CURRENT.remove();
		}
	}

	/** Never shows the actor, who may be a person. */
	@Override
	public String toString() {
		return "EventContext[correlationId=" + this.correlationId + ", causationId=" + this.causationId + "]";
	}

	/** While it is open its context holds; closing it restores the one before. */
	@FunctionalInterface
	public interface Scope extends AutoCloseable {

		@Override
		void close();

	}

}
