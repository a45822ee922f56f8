package dev.eventing.sdk.annotation.processing;

import java.util.List;

import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.Types;

/** The kind of a handler's first parameter. */
enum FirstParameter {

	PAYLOAD, EVENT, BATCH, RAW_EVENT, AMBIGUOUS;

	private static final String EVENT_NAME = "dev.eventing.sdk.event.Event";

	static FirstParameter of(TypeMirror type, Types types) {
		if (isNamed(type, EVENT_NAME)) {
			return arguments(type).isEmpty() ? RAW_EVENT : EVENT;
		}
		if (isNamed(type, "java.util.List") && !arguments(type).isEmpty()) {
			TypeMirror element = argument(type);
			if (isNamed(element, EVENT_NAME)) {
				return arguments(element).isEmpty() ? RAW_EVENT : BATCH;
			}
		}
		return isPlatformCollection(type, types) ? AMBIGUOUS : PAYLOAD;
	}

	/** The payload's type in a parameter of this kind. */
	TypeMirror payload(TypeMirror parameter) {
		return switch (this) {
			case EVENT -> argument(parameter);
			case BATCH -> argument(argument(parameter));
			default -> parameter;
		};
	}

	private static boolean isPlatformCollection(TypeMirror type, Types types) {
		return type instanceof DeclaredType declared && declared.asElement() instanceof TypeElement element
				&& element.getQualifiedName().toString().startsWith("java.") && (isNamed(type, "java.lang.Iterable")
						|| types.directSupertypes(type).stream().anyMatch((each) -> isPlatformCollection(each, types)));
	}

	private static boolean isNamed(TypeMirror type, String name) {
		return type.getKind() == TypeKind.DECLARED && ((DeclaredType) type).asElement() instanceof TypeElement element
				&& element.getQualifiedName().contentEquals(name);
	}

	private static List<? extends TypeMirror> arguments(TypeMirror type) {
		return ((DeclaredType) type).getTypeArguments();
	}

	private static TypeMirror argument(TypeMirror type) {
		TypeMirror argument = arguments(type).get(0);
		return (argument instanceof WildcardType wildcard && wildcard.getExtendsBound() != null)
				? wildcard.getExtendsBound() : argument;
	}

}
