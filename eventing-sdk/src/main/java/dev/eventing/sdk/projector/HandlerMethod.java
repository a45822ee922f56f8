package dev.eventing.sdk.projector;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.SubjectTemplate;

/**
 * One handler of a projector: which events it takes and how it is called.
 *
 * @param description the method as a person would find it, such as
 * {@code OrderSummary.on(OrderCreated)}
 * @param subject which subjects it listens to
 * @param payloadTypes what payloads are bound to, by the name of the event's type on the
 * wire, or by {@link #ANY_TYPE}
 * @param batch whether it takes several events at once
 * @param invocation calls it
 */
public record HandlerMethod(String description, SubjectTemplate subject, Map<String, Type> payloadTypes, boolean batch,
		Invocation invocation) {

	/**
	 * The event type of a handler that takes what no other handler of its projector
	 * takes.
	 */
	public static final String ANY_TYPE = "*";

	public HandlerMethod {
		payloadTypes = Map.copyOf(payloadTypes);
	}

	/** Whether it takes events of this type by name. */
	public boolean takes(String eventType) {
		return this.payloadTypes.containsKey(eventType);
	}

	/** Whether it takes what no other handler of its projector takes. */
	public boolean takesAny() {
		return takes(ANY_TYPE);
	}

	/** What the payload of an event that it takes is bound to. */
	public Type payloadType(String eventType) {
		Type named = this.payloadTypes.get(eventType);
		return (named != null) ? named : Objects.requireNonNull(this.payloadTypes.get(ANY_TYPE), eventType);
	}

	/**
	 * Calls the handler, on the lane's thread and inside the transaction of the batch.
	 */
	@FunctionalInterface
	public interface Invocation {

		/**
		 * Hands events to the handler.
		 * @param events one event, or for a batch handler one or more, in stream order;
		 * each payload is of the type that the handler has for its event's
		 * @param writer takes the writes it leaves to the projector, if it takes one;
		 * valid until this returns
		 * @throws Exception what the handler threw, not wrapped
		 */
		void invoke(List<Event<?>> events, ReadModelWriter writer) throws Exception;

	}

}
