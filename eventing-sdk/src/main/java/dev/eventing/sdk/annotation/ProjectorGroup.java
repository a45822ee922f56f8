package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Which projector a class, and in the end a handler, belongs to.
 *
 * @param name the projector's name, empty if the class says none
 * @param named whether somebody gave the name
 * @param durableName the durable's name {@link Projector} gives, or empty
 * @param targetClass the user's class
 */
record ProjectorGroup(String name, boolean named, String durableName, Class<?> targetClass) {

	private static final String NAME_REMEDY = "a name such as \"order-summary\"";

	/** What the class says about its handlers. */
	static ProjectorGroup of(HandlerBean bean, AttributeResolver resolver) {
		Class<?> targetClass = bean.targetClass();
		Projector projector = AnnotatedElementUtils.findMergedAnnotation(targetClass, Projector.class);
		if (projector == null) {
			return new ProjectorGroup("", false, "", targetClass);
		}
		String name = resolver.resolve("@Projector value", projector.value());
		if (name.isEmpty()) {
			throw new InvalidHandlerException("@Projector(\"" + projector.value() + "\") gives no name", NAME_REMEDY);
		}
		return new ProjectorGroup(name, true, resolver.resolve("@Projector durableName", projector.durableName()),
				targetClass);
	}

	/** What the handler adds to it. */
	ProjectorGroup of(Method method, ProjectorEventHandler annotation, AttributeResolver resolver) {
		String said = resolver.resolve("projectorName", annotation.projectorName());
		if (this.named) {
			if (!said.isEmpty() && !said.equals(this.name)) {
				throw new InvalidHandlerException(
						"projectorName = \"" + said + "\" but its class is @Projector(\"" + this.name + "\")",
						"removing projectorName, or moving the method to a class of its own");
			}
			return this;
		}
		if (!said.isEmpty()) {
			return new ProjectorGroup(said, true, "", this.targetClass);
		}
		if (this.targetClass.getSimpleName().isEmpty()) {
			throw new InvalidHandlerException("its class " + this.targetClass.getName()
					+ " is anonymous, so no name of a projector can be made from it", "setting projectorName");
		}
		return new ProjectorGroup(this.targetClass.getSimpleName() + "-" + method.getName(), false, "",
				this.targetClass);
	}

	/**
	 * What a handler says, with the class's durable name.
	 * @throws InvalidHandlerException if the handler says another
	 */
	Map<String, Object> withDurable(Map<String, Object> said) {
		Map<String, Object> all = new TreeMap<>(said);
		if (!this.durableName.isEmpty()) {
			Object own = all.put("durableName", this.durableName);
			if (own != null && !own.equals(this.durableName)) {
				throw new InvalidHandlerException(
						"durableName = \"" + own + "\" but its class says durableName = \"" + this.durableName + "\"",
						"removing one of them");
			}
		}
		return all;
	}

}
