package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.ReadModelWriter;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;

/**
 * The parameters of a handler: what its first one takes, whether id and tenant follow,
 * and whether a writer is last.
 *
 * @param shape what the first parameter takes
 * @param payload the type of the payload, as declared
 * @param tenant the type of the tenant parameter, or null: then there is neither id nor
 * tenant
 * @param writer whether it takes a {@link ReadModelWriter}
 */
record HandlerSignature(Shape shape, Type payload, @Nullable Type tenant, boolean writer) {

	private static final String ACCEPTED = "(E event, UUID eventId, String tenantId), (E event), (Event<E> event), "
			+ "(Event<E> event, UUID eventId, String tenantId) or (List<Event<E>> events), each with or without a last "
			+ "ReadModelWriter writer";

	/** What the first parameter takes. */
	enum Shape {

		PAYLOAD, EVENT, BATCH

	}

	/**
	 * Reads a method's signature.
	 * @param targetClass the class of the bean, which may bind type variables of the
	 * method's class
	 * @throws InvalidHandlerException if it is none a handler may have
	 */
	static HandlerSignature of(Method method, Class<?> targetClass) {
		List<Type> all = parameters(method, targetClass);
		checkSynchronous(method, all);
		boolean writer = !all.isEmpty() && all.get(all.size() - 1) == ReadModelWriter.class;
		List<Type> parameters = writer ? all.subList(0, all.size() - 1) : all;
		if (parameters.size() != 1 && !(parameters.size() == 3 && parameters.get(1) == UUID.class
				&& (parameters.get(2) == String.class || parameters.get(2) == TenantId.class))) {
			throw unacceptable("its parameters are none a handler may have");
		}
		HandlerSignature signature = ofFirst(parameters.get(0), (parameters.size() == 3) ? parameters.get(2) : null,
				writer);
		if (signature.shape == Shape.BATCH && signature.tenant != null) {
			throw unacceptable("a batch has no single event id and tenant");
		}
		return signature;
	}

	/** The types of a method's parameters, type variables bound by the target class. */
	static List<Type> parameters(Method method, Class<?> targetClass) {
		return Arrays.stream(method.getGenericParameterTypes())
			.map((type) -> GenericTypeResolver.resolveType(type, targetClass))
			.toList();
	}

	private static void checkSynchronous(Method method, List<Type> parameters) {
		Class<?> returned = method.getReturnType();
		boolean suspends = !parameters.isEmpty()
				&& parameters.get(parameters.size() - 1).getTypeName().startsWith("kotlin.coroutines.Continuation");
		if (suspends || CompletionStage.class.isAssignableFrom(returned) || Future.class.isAssignableFrom(returned)
				|| returned.getName().startsWith("reactor.core.publisher.")) {
			throw new InvalidHandlerException(
					"it goes on after it has returned, when its event's transaction has ended already",
					"waiting for the result inside the method, which returns nothing and does not suspend");
		}
		if (returned != void.class) {
			throw new InvalidHandlerException("it returns " + returned.getSimpleName() + ", which nobody would take",
					"making it void");
		}
	}

	private static HandlerSignature ofFirst(Type first, @Nullable Type tenant, boolean writer) {
		Class<?> raw = rawClass(first);
		if (raw == Event.class) {
			return new HandlerSignature(Shape.EVENT, argumentOf(first), tenant, writer);
		}
		if (!Iterable.class.isAssignableFrom(raw) || !raw.getName().startsWith("java.")) {
			return new HandlerSignature(Shape.PAYLOAD, first, tenant, writer);
		}
		if (raw == List.class && first instanceof ParameterizedType) {
			Type element = argumentOf(first);
			if (rawClass(element) == Event.class) {
				return new HandlerSignature(Shape.BATCH, argumentOf(element), tenant, writer);
			}
		}
		throw unacceptable("its parameter of type " + HandledType.shortName(first)
				+ " could be a batch or a payload that is a collection");
	}

	private static Class<?> rawClass(Type type) {
		return ResolvableType.forType(type).resolve(Object.class);
	}

	private static Type argumentOf(Type generic) {
		if (generic instanceof ParameterizedType parameterized) {
			return parameterized.getActualTypeArguments()[0];
		}
		throw unacceptable("its parameter is a raw Event, which does not say what its payload is");
	}

	private static InvalidHandlerException unacceptable(String problem) {
		return new InvalidHandlerException(problem, "one of " + ACCEPTED);
	}

	/** What the handler is called with for these events and this writer. */
	@Nullable Object[] arguments(List<Event<?>> events, ReadModelWriter readModelWriter) {
		List<@Nullable Object> arguments = new ArrayList<>(4);
		Event<?> event = events.get(0);
		arguments.add(switch (this.shape) {
			case BATCH -> events;
			case EVENT -> event;
			case PAYLOAD -> event.payload();
		});
		if (this.tenant != null) {
			arguments.add(event.id());
			arguments.add((this.tenant == String.class) ? event.tenantId().value() : event.tenantId());
		}
		if (this.writer) {
			arguments.add(readModelWriter);
		}
		return arguments.toArray();
	}

}
