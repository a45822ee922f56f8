package dev.eventing.sdk.annotation.processing;

import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

import org.jspecify.annotations.Nullable;

/** Checks that a payload's type, or the attribute in its place, names an event type. */
final class PayloadCheck {

	private final Types types;

	private final Elements elements;

	PayloadCheck(Types types, Elements elements) {
		this.types = types;
		this.elements = elements;
	}

	@Nullable String problem(TypeMirror payload, @Nullable TypeMirror eventType) {
		// The compiler reports an unknown type; a variable is bound by a subclass.
		if (payload.getKind() == TypeKind.ERROR || payload.getKind() == TypeKind.TYPEVAR) {
			return null;
		}
		TypeMirror named = (eventType != null && !isNamed(eventType, "java.lang.Void")) ? eventType : payload;
		if (named.getKind() == TypeKind.ERROR) {
			return null;
		}
		if (named != payload && !isAssignable(named, payload)) {
			return "eventType = " + named + " cannot be handed to a parameter of type " + payload
					+ ". Consider a parameter of that type, or removing eventType.";
		}
		if (!(named instanceof DeclaredType declared)
				|| this.elements.getPackageOf(declared.asElement()).getQualifiedName().toString().startsWith("java.")) {
			return "Payload " + named + " names no event type. Consider a class of your own, eventType, or JsonNode to "
					+ "take every event no other handler takes.";
		}
		return null;
	}

	private boolean isAssignable(TypeMirror eventType, TypeMirror payload) {
		return this.types.isAssignable(this.types.erasure(eventType), this.types.erasure(payload));
	}

	private boolean isNamed(TypeMirror type, String name) {
		return this.types.asElement(type) instanceof TypeElement element
				&& element.getQualifiedName().contentEquals(name);
	}

}
