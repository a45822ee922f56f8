package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.HandlerResources;
import dev.eventing.sdk.projector.ReadModelWriter;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;

/**
 * The parameters of a handler: the kind of the first parameter, whether event id and
 * tenant follow, and what the SDK offers to each call.
 *
 * @param shape the kind of the first parameter
 * @param payload the type of the payload, as declared
 * @param tenant the type of the tenant parameter, or null if there is neither event id
 * nor tenant
 * @param resources the types of the last parameters: some of {@link ReadModelWriter},
 * {@link Effects} and {@link HandlerMode}, in the order of the method
 */
record HandlerSignature(Shape shape, Type payload, @Nullable Type tenant, List<Type> resources) {

	private static final String ACCEPTED = "(E event, UUID eventId, String tenantId), (E event), (Event<E> event), "
			+ "(Event<E> event, UUID eventId, String tenantId) or (List<Event<E>> events), each with or without "
			+ "ReadModelWriter writer, Effects effects and HandlerMode mode behind them";

	private static final Set<Type> RESOURCES = Set.of(ReadModelWriter.class, Effects.class, HandlerMode.class);

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
		int own = all.size();
		while (own > 0 && RESOURCES.contains(all.get(own - 1))) {
			own--;
		}
		List<Type> parameters = all.subList(0, own);
		List<Type> resources = List.copyOf(all.subList(own, all.size()));
		if (Set.copyOf(resources).size() < resources.size()) {
			throw unacceptable("it has a parameter twice");
		}
		if (parameters.size() != 1 && !(parameters.size() == 3 && parameters.get(1) == UUID.class
				&& (parameters.get(2) == String.class || parameters.get(2) == TenantId.class))) {
			throw unacceptable("a handler cannot have its parameters");
		}
		HandlerSignature signature = ofFirst(parameters.get(0), (parameters.size() == 3) ? parameters.get(2) : null,
				resources);
		if (signature.shape == Shape.BATCH && signature.tenant != null) {
			throw unacceptable("a batch has no single event id and tenant");
		}
		if (signature.shape == Shape.BATCH && signature.hasEffects()) {
			throw new InvalidHandlerException("a batch has no single event that an effect belongs to",
					"a handler of single events, such as (Event<E> event, Effects effects)");
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

	private static HandlerSignature ofFirst(Type first, @Nullable Type tenant, List<Type> resources) {
		Class<?> raw = rawClass(first);
		if (raw == Event.class) {
			return new HandlerSignature(Shape.EVENT, argumentOf(first), tenant, resources);
		}
		if (!Iterable.class.isAssignableFrom(raw) || !raw.getName().startsWith("java.")) {
			return new HandlerSignature(Shape.PAYLOAD, first, tenant, resources);
		}
		if (raw == List.class && first instanceof ParameterizedType) {
			Type element = argumentOf(first);
			if (rawClass(element) == Event.class) {
				return new HandlerSignature(Shape.BATCH, argumentOf(element), tenant, resources);
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

	/** Whether the handler appends events. */
	boolean hasEffects() {
		return this.resources.contains(Effects.class);
	}

	/** Returns the arguments of the handler's call for these events. */
	@Nullable Object[] arguments(List<Event<?>> events, HandlerResources offered) {
		List<@Nullable Object> arguments = new ArrayList<>(6);
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
		for (Type resource : this.resources) {
			arguments.add(resource(resource, offered));
		}
		return arguments.toArray();
	}

	private static Object resource(Type type, HandlerResources offered) {
		if (type == ReadModelWriter.class) {
			return offered.writer();
		}
		return (type == Effects.class) ? offered.effects() : offered.mode();
	}

}
