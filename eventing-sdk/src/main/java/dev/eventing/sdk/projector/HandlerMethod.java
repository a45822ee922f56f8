package dev.eventing.sdk.projector;

import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.SubjectTemplate;

import org.springframework.core.ResolvableType;

/**
 * One handler of a projector: the events it takes and how to call it.
 *
 * @param description the class, method and parameters for messages, such as
 * {@code OrderSummary.on(OrderCreated)}
 * @param subject the subjects it listens to
 * @param payloadTypes the Java type of the payload, by the event type on the wire or
 * {@link #ANY_TYPE}
 * @param batch whether it takes several events in one call
 * @param effects whether it appends events to the event store
 * @param invocation calls it
 */
public record HandlerMethod(String description, SubjectTemplate subject, Map<String, Type> payloadTypes, boolean batch,
		boolean effects, Invocation invocation) {

	/**
	 * The event type of a handler that takes the events that no other handler of its
	 * projector takes.
	 */
	public static final String ANY_TYPE = "*";

	public HandlerMethod {
		payloadTypes = Map.copyOf(payloadTypes);
	}

	/** A handler without {@link Effects}. */
	public HandlerMethod(String description, SubjectTemplate subject, Map<String, Type> payloadTypes, boolean batch,
			Invocation invocation) {
		this(description, subject, payloadTypes, batch, false, invocation);
	}

	/** Whether it takes events of this type explicitly. */
	public boolean takes(String eventType) {
		return this.payloadTypes.containsKey(eventType);
	}

	/** Whether it takes the events that no other handler of its projector takes. */
	public boolean takesAny() {
		return takes(ANY_TYPE);
	}

	/** The classes of the payloads by event type, without {@link #ANY_TYPE}. */
	public Map<String, Class<?>> eventClasses() {
		Map<String, Class<?>> classes = new HashMap<>();
		this.payloadTypes.forEach((name, type) -> {
			if (!name.equals(ANY_TYPE)) {
				classes.put(name, ResolvableType.forType(type).toClass());
			}
		});
		return classes;
	}

	/** Returns the Java type of the payload for an event type that it takes. */
	public Type payloadType(String eventType) {
		Type named = this.payloadTypes.get(eventType);
		return (named != null) ? named : Objects.requireNonNull(this.payloadTypes.get(ANY_TYPE), eventType);
	}

	/** The same handler for a generation of its projector. */
	HandlerMethod of(ProjectorId projector) {
		Invocation own = this.invocation.of(projector);
		return (own != this.invocation)
				? new HandlerMethod(this.description, this.subject, this.payloadTypes, this.batch, own) : this;
	}

	/**
	 * Calls the handler on the lane's thread, inside the transaction of the batch.
	 */
	@FunctionalInterface
	public interface Invocation {

		/**
		 * Whether its statements are the SDK's own. Then it is not the event's fault if a
		 * table or a right is missing.
		 */
		default boolean isOfTheSdk() {
			return false;
		}

		/**
		 * Calls the handler.
		 * @param events one event, or one or more in stream order for a batch handler;
		 * each payload has the Java type that the handler uses for the event's type
		 * @param resources what the handler may have as further parameters
		 * @throws Exception the exception of the handler, not wrapped
		 */
		void invoke(List<Event<?>> events, HandlerResources resources) throws Exception;

		/**
		 * Returns what calls the handler for a generation that is not live. Most handlers
		 * find the tables of their generation by the search path, and need no other.
		 */
		default Invocation of(ProjectorId projector) {
			return this;
		}

	}

}
