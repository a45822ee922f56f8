package dev.eventing.sdk.annotation.processing;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

import org.jspecify.annotations.Nullable;

/** Checks a handler method by the same rules as the start-up. */
final class HandlerCheck {

	private static final String ACCEPTED = "Consider one of (E event, UUID eventId, String tenantId), (E event), "
			+ "(Event<E> event), (Event<E> event, UUID eventId, String tenantId) or (List<Event<E>> events), each with or "
			+ "without ReadModelWriter writer, Effects effects and HandlerMode mode behind them.";

	private static final String EFFECTS = "dev.eventing.sdk.projector.Effects";

	/** What the SDK offers to each call. */
	private static final Set<String> RESOURCES = Set.of("dev.eventing.sdk.projector.ReadModelWriter", EFFECTS,
			"dev.eventing.sdk.projector.HandlerMode");

	private final Types types;

	private final PayloadCheck payloads;

	HandlerCheck(Types types, Elements elements) {
		this.types = types;
		this.payloads = new PayloadCheck(types, elements);
	}

	List<String> problems(ExecutableElement method, AnnotationAttributes attributes) {
		List<String> problems = new ArrayList<>();
		if (!isInClass(method)) {
			problems
				.add("A handler must be a method of a class. Consider moving @ProjectorEventHandler to the method of "
						+ "the bean's class.");
		}
		if (method.getModifiers().contains(Modifier.STATIC)) {
			problems
				.add("A handler must not be static: the projector calls it on its bean. Consider an instance method.");
		}
		if (method.getModifiers().contains(Modifier.PRIVATE)) {
			problems.add("A handler must not be private: a proxy of its bean cannot intercept it. Consider making it "
					+ "public or package-private.");
		}
		if (method.getReturnType().getKind() != TypeKind.VOID) {
			problems.add("A handler must return nothing: nothing uses its result, and work that continues after it has "
					+ "returned is outside its event's transaction. Consider making it void.");
		}
		String problem = parameterProblem(method.getParameters().stream().map((each) -> each.asType()).toList(),
				attributes.type("eventType"));
		if (problem != null) {
			problems.add(problem);
		}
		return problems;
	}

	private static boolean isInClass(ExecutableElement method) {
		Element owner = method.getEnclosingElement();
		return owner != null && (owner.getKind() == ElementKind.CLASS || owner.getKind() == ElementKind.RECORD);
	}

	private @Nullable String parameterProblem(List<? extends TypeMirror> all, @Nullable TypeMirror eventType) {
		List<? extends TypeMirror> parameters = own(all);
		List<String> resources = all.subList(parameters.size(), all.size()).stream().map(this::name).toList();
		boolean withId = parameters.size() == 3 && isNamed(parameters.get(1), "java.util.UUID")
				&& (isNamed(parameters.get(2), "java.lang.String")
						|| isNamed(parameters.get(2), "dev.eventing.sdk.event.TenantId"));
		boolean twice = Set.copyOf(resources).size() < resources.size();
		if (twice || (parameters.size() != 1 && !withId)) {
			return "A handler cannot have these parameters. " + ACCEPTED;
		}
		TypeMirror first = parameters.get(0);
		FirstParameter shape = FirstParameter.of(first, this.types);
		if (shape == FirstParameter.AMBIGUOUS) {
			return first + " could be a batch or a payload that is a collection. " + ACCEPTED;
		}
		if (shape == FirstParameter.RAW_EVENT) {
			return "The payload type of a raw Event is unknown. " + ACCEPTED;
		}
		if (shape == FirstParameter.BATCH && withId) {
			return "A batch has no single event id and tenant. " + ACCEPTED;
		}
		if (shape == FirstParameter.BATCH && resources.contains(EFFECTS)) {
			return "A batch has no single event that an effect belongs to. Consider a handler of single events, such as "
					+ "(Event<E> event, Effects effects).";
		}
		return this.payloads.problem(shape.payload(first), eventType);
	}

	/** The parameters before those that the SDK offers to each call. */
	private List<? extends TypeMirror> own(List<? extends TypeMirror> all) {
		int own = all.size();
		while (own > 0 && RESOURCES.contains(name(all.get(own - 1)))) {
			own--;
		}
		return all.subList(0, own);
	}

	private String name(TypeMirror type) {
		return (this.types.asElement(type) instanceof TypeElement element) ? element.getQualifiedName().toString() : "";
	}

	private boolean isNamed(TypeMirror type, String name) {
		return this.types.asElement(type) instanceof TypeElement element
				&& element.getQualifiedName().contentEquals(name);
	}

}
