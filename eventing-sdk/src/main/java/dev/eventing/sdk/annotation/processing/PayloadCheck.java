package dev.eventing.sdk.annotation.processing;

import java.util.Objects;
import java.util.Set;

import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

import org.jspecify.annotations.Nullable;

/** Checks that the payload's type or the {@code eventType} attribute is an event type. */
final class PayloadCheck {

	private final Types types;

	private final Elements elements;

	PayloadCheck(Types types, Elements elements) {
		this.types = types;
		this.elements = elements;
	}

	@Nullable String problem(TypeMirror payload, @Nullable TypeMirror eventType) {
		// The compiler reports an unknown type. A subclass binds a type variable.
		if (payload.getKind() == TypeKind.ERROR || payload.getKind() == TypeKind.TYPEVAR) {
			return null;
		}
		TypeMirror named = (eventType != null && !isNamed(eventType, "java.lang.Void")) ? eventType : payload;
		if (named.getKind() == TypeKind.ERROR) {
			return null;
		}
		if (named != payload && !isAssignable(named, payload)) {
			return "eventType = " + named + " cannot be passed to a parameter of type " + payload
					+ ". Consider a parameter of that type, or removing eventType.";
		}
		if (!(named instanceof DeclaredType declared)
				|| this.elements.getPackageOf(declared.asElement()).getQualifiedName().toString().startsWith("java.")) {
			return "Payload " + named
					+ " is not an event type. Consider a class of your own, eventType, or JsonNode to "
					+ "take every event that no other handler takes.";
		}
		return isTree(declared) ? null : abstractProblem((TypeElement) declared.asElement());
	}

	/** An abstract type has events only if it is sealed or has an {@code @EventType}. */
	private @Nullable String abstractProblem(TypeElement type) {
		Set<Modifier> modifiers = type.getModifiers();
		if (modifiers.contains(Modifier.SEALED) && type.getKind() != ElementKind.ENUM) {
			return type.getPermittedSubclasses()
				.stream()
				.map((permitted) -> abstractProblem((TypeElement) this.types.asElement(permitted)))
				.filter(Objects::nonNull)
				.findFirst()
				.orElse(null);
		}
		if (!modifiers.contains(Modifier.ABSTRACT) || type.getKind() == ElementKind.ENUM || hasName(type)) {
			return null;
		}
		return "Payload " + type + " is abstract and not sealed, so no event has that type. Consider making it sealed "
				+ "to take all classes it permits, the class of one event, eventType, or @EventType on it if JSON of that "
				+ "type can be bound to it.";
	}

	private static boolean hasName(TypeElement type) {
		return type.getAnnotationMirrors()
			.stream()
			.anyMatch((annotation) -> annotation.getAnnotationType()
				.toString()
				.equals("dev.eventing.sdk.event.EventType"));
	}

	private boolean isTree(TypeMirror type) {
		return isNamed(type, "tools.jackson.databind.JsonNode")
				|| this.types.directSupertypes(type).stream().anyMatch(this::isTree);
	}

	private boolean isAssignable(TypeMirror eventType, TypeMirror payload) {
		return this.types.isAssignable(this.types.erasure(eventType), this.types.erasure(payload));
	}

	private boolean isNamed(TypeMirror type, String name) {
		return this.types.asElement(type) instanceof TypeElement element
				&& element.getQualifiedName().contentEquals(name);
	}

}
