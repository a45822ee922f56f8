package dev.eventing.sdk.projector;

import java.lang.reflect.Type;
import java.util.List;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.SubjectTemplate;

/**
 * One handler of a projector: which events it takes and how it is called.
 *
 * @param description the method as a person would find it, such as
 * {@code OrderSummary.on(OrderCreated)}
 * @param subject which subjects it listens to
 * @param eventType the name of its event type on the wire, or {@link #ANY_TYPE}
 * @param payloadType what the payload is bound to
 * @param batch whether it takes several events at once
 * @param invocation calls it
 */
public record HandlerMethod(String description, SubjectTemplate subject, String eventType, Type payloadType,
		boolean batch, Invocation invocation) {

	/**
	 * The event type of a handler that takes what no other handler of its projector
	 * takes.
	 */
	public static final String ANY_TYPE = "*";

	/**
	 * Calls the handler, on the lane's thread and inside the transaction of the batch.
	 */
	@FunctionalInterface
	public interface Invocation {

		/**
		 * Hands events to the handler.
		 * @param events one event, or for a batch handler one or more, in stream order;
		 * each payload is of the handler's payload type
		 * @param writer takes the writes it leaves to the projector, if it takes one;
		 * valid until this returns
		 * @throws Exception what the handler threw, not wrapped
		 */
		void invoke(List<Event<?>> events, ReadModelWriter writer) throws Exception;

	}

}
