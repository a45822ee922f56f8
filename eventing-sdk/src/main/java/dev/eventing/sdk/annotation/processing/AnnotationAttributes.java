package dev.eventing.sdk.annotation.processing;

import java.util.Map;

import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.type.TypeMirror;

import org.jspecify.annotations.Nullable;

/** The attributes that an annotation in the source sets, without defaults. */
record AnnotationAttributes(AnnotationMirror annotation) {

	@Nullable AnnotationValue value(String name) {
		for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> entry : this.annotation
			.getElementValues()
			.entrySet()) {
			if (entry.getKey().getSimpleName().contentEquals(name)) {
				return entry.getValue();
			}
		}
		return null;
	}

	@Nullable String text(String name) {
		AnnotationValue value = value(name);
		return (value != null && value.getValue() instanceof String text) ? text : null;
	}

	@Nullable TypeMirror type(String name) {
		AnnotationValue value = value(name);
		return (value != null && value.getValue() instanceof TypeMirror type) ? type : null;
	}

}
