package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The projector of a class or a handler.
 *
 * @param name the projector's name, empty if the class sets none
 * @param named whether an annotation sets the name
 * @param durableName the durable name that {@link Projector} sets, or empty
 * @param targetClass the user's class
 */
record ProjectorGroup(String name, boolean named, String durableName, Class<?> targetClass) {

	private static final String NAME_REMEDY = "a name such as \"order-summary\"";

	/** Reads the annotation of the class. */
	static ProjectorGroup of(HandlerBean bean, AttributeResolver resolver) {
		Class<?> targetClass = bean.targetClass();
		Projector projector = AnnotatedElementUtils.findMergedAnnotation(targetClass, Projector.class);
		if (projector == null) {
			return new ProjectorGroup("", false, "", targetClass);
		}
		String name = resolver.resolve("@Projector value", projector.value());
		if (name.isEmpty()) {
			throw new InvalidHandlerException("@Projector(\"" + projector.value() + "\") resolves to an empty name",
					NAME_REMEDY);
		}
		return new ProjectorGroup(name, true, resolver.resolve("@Projector durableName", projector.durableName()),
				targetClass);
	}

	/** Returns the group of one handler of the class. */
	ProjectorGroup of(Method method, ProjectorEventHandler annotation, AttributeResolver resolver) {
		String said = resolver.resolve("projectorName", annotation.projectorName());
		if (this.named) {
			if (!said.isEmpty() && !said.equals(this.name)) {
				throw new InvalidHandlerException(
						"projectorName = \"" + said + "\" but its class has @Projector(\"" + this.name + "\")",
						"removing projectorName, or moving the method to another class");
			}
			return this;
		}
		if (!said.isEmpty()) {
			return new ProjectorGroup(said, true, "", this.targetClass);
		}
		if (this.targetClass.getSimpleName().isEmpty()) {
			throw new InvalidHandlerException("its class " + this.targetClass.getName()
					+ " is anonymous, so no projector name can be derived from it", "setting projectorName");
		}
		return new ProjectorGroup(this.targetClass.getSimpleName() + "-" + method.getName(), false, "",
				this.targetClass);
	}

	/**
	 * Adds the class's durable name to the attributes that a handler sets.
	 * @throws InvalidHandlerException if the handler sets another durable name
	 */
	Map<String, Object> withDurable(Map<String, Object> said) {
		Map<String, Object> all = new TreeMap<>(said);
		if (!this.durableName.isEmpty()) {
			Object own = all.put("durableName", this.durableName);
			if (own != null && !own.equals(this.durableName)) {
				throw new InvalidHandlerException(
						"durableName = \"" + own + "\" but its class sets durableName = \"" + this.durableName + "\"",
						"removing one of them");
			}
		}
		return all;
	}

}
