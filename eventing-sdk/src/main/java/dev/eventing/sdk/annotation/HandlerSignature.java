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
 * The parameters of a handler: the kind of the first parameter, whether event id and
 * tenant follow, and whether the last one is a writer.
 *
 * @param shape the kind of the first parameter
 * @param payload the type of the payload, as declared
 * @param tenant the type of the tenant parameter, or null if there is neither event id
 * nor tenant
 * @param writer whether the last parameter is a {@link ReadModelWriter}
 */
record HandlerSignature(Shape shape, Type payload, @Nullable Type tenant, boolean writer) {

	private static final String ACCEPTED = "(E event, UUID eventId, String tenantId), (E event), (Event<E> event), "
			+ "(Event<E> event, UUID eventId, String tenantId) or (List<Event<E>> events), each with or without a last "
			+ "ReadModelWriter writer";

	/** The kind of the first parameter. */
	enum Shape {

		PAYLOAD, EVENT, BATCH

	}

	/**
	 * Reads a method's signature.
	 * @param targetClass the class of the bean, which may bind type variables of the
	 * method's class
	 * @throws InvalidHandlerException if a handler cannot have this signature
	 */
	static HandlerSignature of(Method method, Class<?> targetClass) {
		List<Type> all = parameters(method, targetClass);
		checkSynchronous(method, all);
		boolean writer = !all.isEmpty() && all.get(all.size() - 1) == ReadModelWriter.class;
		List<Type> parameters = writer ? all.subList(0, all.size() - 1) : all;
		if (parameters.size() != 1 && !(parameters.size() == 3 && parameters.get(1) == UUID.class
				&& (parameters.get(2) == String.class || parameters.get(2) == TenantId.class))) {
			throw unacceptable("a handler cannot have its parameters");
		}
		HandlerSignature signature = ofFirst(parameters.get(0), (parameters.size() == 3) ? parameters.get(2) : null,
				writer);
		if (signature.shape == Shape.BATCH && signature.tenant != null) {
			throw unacceptable("a batch has no single event id and tenant");
		}
		return signature;
	}

	/**
	 * Returns the types of a method's parameters. The target class binds type variables.
	 */
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
					"it is asynchronous: its work continues after it has returned, outside its event's transaction",
					"a void method that waits for the result and does not suspend");
		}
		if (returned != void.class) {
			throw new InvalidHandlerException("it returns " + returned.getSimpleName() + ", which nothing would use",
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
		throw unacceptable("its parameter of type " + InvalidHandlerException.shortName(first)
				+ " could be a batch or a payload that is a collection");
	}

	private static Class<?> rawClass(Type type) {
		return ResolvableType.forType(type).resolve(Object.class);
	}

	private static Type argumentOf(Type generic) {
		if (generic instanceof ParameterizedType parameterized) {
			return parameterized.getActualTypeArguments()[0];
		}
		throw unacceptable("its parameter is a raw Event, so the type of its payload is unknown");
	}

	private static InvalidHandlerException unacceptable(String problem) {
		return new InvalidHandlerException(problem, "one of " + ACCEPTED);
	}

	/** Returns the arguments of the handler's call for these events and this writer. */
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
