package dev.eventing.sdk.liveview.fold;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.eventing.sdk.event.Deserializers;
import dev.eventing.sdk.projector.StateForm;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.ReferenceTypeDeserializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.NameTransformer;

/**
 * Finds the properties that are bound where a state is read, at any depth. Asks the
 * deserializers that Jackson has built, so it sees what annotations and modules make of a
 * class. A getter that computes something is no property: nothing binds it.
 */
final class StateProperties {

	private static final Logger logger = LoggerFactory.getLogger(StateProperties.class);

	/** Generic types may go on without end. */
	private static final int DEEPEST = 16;

	private final DeserializationContext context;

	private final List<String> paths = new ArrayList<>();

	/** The classes above. The result must not depend on which of two comes first. */
	private final Set<JavaType> above = new HashSet<>();

	private StateProperties(DeserializationContext context) {
		this.context = context;
	}

	/** The form of the states of a class; null if Jackson does not tell. */
	static @Nullable StateForm of(JsonMapper mapper, Class<?> type) {
		try {
			return Deserializers.ask(mapper,
					(context) -> new StateProperties(context).formOf(mapper.constructType(type)));
		}
		catch (RuntimeException ex) { // states show what is wrong
			logger.debug("The properties of {} are not known.", type.getName(), ex);
			return null;
		}
	}

	private StateForm formOf(JavaType type) {
		look(deserializer(type), "", 0);
		return new StateForm(this.paths);
	}

	private void look(@Nullable ValueDeserializer<?> found, String path, int depth) {
		if (depth > DEEPEST) {
			return;
		}
		if (found instanceof BeanDeserializerBase bean) {
			lookAtBean(bean, path, depth);
		}
		else if (found instanceof ContainerDeserializerBase<?> container) {
			look(container.getContentDeserializer(), path + "[]", depth + 1);
		}
		else if (found instanceof ReferenceTypeDeserializer<?> reference) {
			JavaType content = reference.getValueType().getContentType();
			look((content != null) ? deserializer(content) : null, path, depth + 1);
		}
		else if (found instanceof AbstractDeserializer) {
			lookAtSubtypes(found.handledType(), path, depth);
		}
	}

	private void lookAtBean(BeanDeserializerBase bean, String path, int depth) {
		if (!this.above.add(bean.getValueType())) {
			return;
		}
		Iterator<SettableBeanProperty> properties = bean.properties();
		while (properties.hasNext()) {
			SettableBeanProperty property = properties.next();
			if (!property.isIgnorable() && !property.isInjectionOnly()) {
				String name = below(path, property.getName());
				this.paths.add(name);
				look(property.hasValueDeserializer() ? property.getValueDeserializer() : null, name, depth + 1);
			}
		}
		lookAtUnwrapped(bean.getValueType(), path, depth);
		lookAtSubtypes(bean.handledType(), path, depth);
		this.above.remove(bean.getValueType());
	}

	/**
	 * Properties of a {@code JsonUnwrapped} stand among those of the class, with a prefix
	 * or without. Its deserializer does not list them.
	 */
	private void lookAtUnwrapped(JavaType type, String path, int depth) {
		DeserializationConfig config = this.context.getConfig();
		ClassIntrospector introspector = config.classIntrospectorInstance().forOperation(config);
		List<BeanPropertyDefinition> properties = introspector
			.introspectForDeserialization(type, introspector.introspectClassAnnotations(type))
			.findProperties();
		for (BeanPropertyDefinition property : properties) {
			AnnotatedMember member = property.getMutator();
			NameTransformer names = (member != null)
					? config.getAnnotationIntrospector().findUnwrappingNameTransformer(config, member) : null;
			if (names != null) {
				look(deserializer(property.getPrimaryType()), below(path, names.transform("*")), depth + 1);
			}
		}
	}

	private static String below(String path, String name) {
		return path.isEmpty() ? name : path + "." + name;
	}

	/** Which of them a state has, the JSON tells. */
	private void lookAtSubtypes(Class<?> type, String path, int depth) {
		Set<Class<?>> subtypes = new LinkedHashSet<>();
		if (type.isSealed()) {
			subtypes.addAll(List.of(type.getPermittedSubclasses()));
		}
		JsonSubTypes named = type.getAnnotation(JsonSubTypes.class);
		if (named != null) {
			for (JsonSubTypes.Type each : named.value()) {
				subtypes.add(each.value());
			}
		}
		subtypes.forEach((each) -> look(deserializer(this.context.constructType(each)), path, depth + 1));
	}

	private ValueDeserializer<?> deserializer(JavaType type) {
		return this.context.findContextualValueDeserializer(type, null);
	}

}
