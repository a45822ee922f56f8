package dev.eventing.sdk.event;

import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.InnerClassProperty;
import tools.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.ReferenceTypeDeserializer;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.json.JsonMapper;

/**
 * Looks for a property, at any depth below a class, to whose type no value can be bound.
 * Asks the deserializers that Jackson has built for the class, so it sees what
 * annotations and modules make of it. What is not Jackson's own counts as able to bind
 * anything, and so does what is chosen by an id in the payload: it is better to miss a
 * class than to refuse one that can be bound.
 */
final class PropertyClasses {

	private static final String JACKSON = "tools.jackson.databind.";

	private static final String SETTER = "set";

	/** Groovy gives each of its classes a setter for it. */
	private static final String GROOVY = "groovy.lang.MetaClass";

	/** Generic types may go on without end. */
	private static final int DEEPEST = 32;

	private final DeserializationContext context;

	private final Set<JavaType> seen = new HashSet<>();

	private PropertyClasses(DeserializationContext context) {
		this.context = context;
	}

	/** The first such property, or null. */
	static @Nullable Unbindable find(JsonMapper mapper, Type type) {
		if (mapper.deserializationConfig().getProblemHandlers() != null) {
			return null; // they may construct what Jackson cannot
		}
		JavaType bound = mapper.constructType(type);
		try {
			return Deserializers.ask(mapper, (context) -> new PropertyClasses(context).lookAt(bound));
		}
		catch (RuntimeException ex) {
			return null; // events show what it is
		}
	}

	private @Nullable Unbindable lookAt(JavaType type) {
		return (type.isFinal() || !isChosenById(type)) ? look(this.context.findContextualValueDeserializer(type, null),
				null, type.getRawClass().getSimpleName(), 0) : null;
	}

	private @Nullable Unbindable look(ValueDeserializer<?> found, @Nullable BeanProperty property, String path,
			int depth) {
		if (!isJacksons(found) || depth > DEEPEST) {
			return null;
		}
		if (found instanceof BeanDeserializerBase bean) {
			return lookAtBean(bean, path, depth);
		}
		if (found instanceof ContainerDeserializerBase<?> container) {
			ValueDeserializer<?> content = container.getContentDeserializer();
			return (content != null && !isChosenById(container.getContentType()))
					? look(content, property, path + "[]", depth + 1) : null;
		}
		if (found instanceof ReferenceTypeDeserializer<?> reference) {
			return lookAtReferenced(reference.getValueType().getContentType(), property, path, depth);
		}
		if (found instanceof AbstractDeserializer && found.getObjectIdReader(this.context) == null) {
			return new Unbindable(path, found.handledType(), " is abstract, and nothing tells which class is meant");
		}
		return (found instanceof UnsupportedTypeDeserializer)
				? new Unbindable(path, found.handledType(), " is unknown to the mapper") : null;
	}

	private @Nullable Unbindable lookAtBean(BeanDeserializerBase bean, String path, int depth) {
		ValueInstantiator how = bean.getValueInstantiator();
		if (isJacksons(how)) {
			if (!isAble(how)) {
				return new Unbindable(path, bean.handledType(), " has no constructor that Jackson can call");
			}
			boolean takesProperties = (how.canCreateUsingDefault() || how.canCreateFromObjectWith())
					&& !how.canCreateUsingDelegate() && !how.canCreateUsingArrayDelegate() && !takesScalars(how);
			if (!takesProperties) {
				return null;
			}
		}
		return this.seen.add(bean.getValueType()) ? lookAtProperties(bean, path, depth) : null;
	}

	private static boolean isAble(ValueInstantiator how) {
		return how.canInstantiate() || takesScalars(how);
	}

	/** Then a payload may have a text or a number in place of the properties. */
	private static boolean takesScalars(ValueInstantiator how) {
		return how.canCreateFromString() || how.canCreateFromInt() || how.canCreateFromLong()
				|| how.canCreateFromBigInteger() || how.canCreateFromDouble() || how.canCreateFromBigDecimal()
				|| how.canCreateFromBoolean();
	}

	private @Nullable Unbindable lookAtProperties(BeanDeserializerBase bean, String path, int depth) {
		Iterator<SettableBeanProperty> properties = bean.properties();
		while (properties.hasNext()) {
			SettableBeanProperty property = properties.next();
			if (isBound(property)) {
				Unbindable unbindable = look(property.getValueDeserializer(), property, path + "." + property.getName(),
						depth + 1);
				if (unbindable != null) {
					return unbindable;
				}
			}
		}
		return null;
	}

	/** Whether Jackson creates a value for it from the payload, by its type alone. */
	private boolean isBound(SettableBeanProperty property) {
		Class<?> view = this.context.getActiveView();
		boolean isSkipped = property.isIgnorable() || (view != null && !property.visibleInView(view));
		boolean isCreatedElsewhere = property.isInjectionOnly() || property.isMerging()
				|| property instanceof InnerClassProperty || isOnlySet(property);
		return !isSkipped && !isCreatedElsewhere && property.hasValueDeserializer()
				&& !property.hasValueTypeDeserializer();
	}

	/**
	 * Whether no payload that is written from the class has the property: it has a setter
	 * and no getter, or is Groovy's. Frameworks set such properties.
	 */
	private static boolean isOnlySet(SettableBeanProperty property) {
		if (property.getType().getRawClass().getName().equals(GROOVY)) {
			return true;
		}
		if (!(property.getMember() instanceof AnnotatedMethod setter) || !setter.getName().startsWith(SETTER)) {
			return false;
		}
		String name = setter.getName().substring(SETTER.length());
		return Stream.of(setter.getDeclaringClass().getMethods())
			.noneMatch((method) -> method.getParameterCount() == 0
					&& (method.getName().equals("get" + name) || method.getName().equals("is" + name)));
	}

	private @Nullable Unbindable lookAtReferenced(@Nullable JavaType type, @Nullable BeanProperty property, String path,
			int depth) {
		return (type != null && type.getValueHandler() == null && !isChosenById(type))
				? look(this.context.findContextualValueDeserializer(type, property), property, path, depth + 1) : null;
	}

	private boolean isChosenById(JavaType type) {
		return type.getTypeHandler() != null || this.context.findTypeDeserializer(type) != null;
	}

	private static boolean isJacksons(Object part) {
		return part.getClass().getName().startsWith(JACKSON);
	}

	/**
	 * A property that no value can be bound to.
	 *
	 * @param path from the class on, with {@code []} for what a list, an array or a map
	 * has
	 * @param type its class
	 * @param flaw what is wrong with the class, to be read after its name
	 */
	record Unbindable(String path, Class<?> type, String flaw) {

		/** The property with its type, as in {@code Order.lines[].price: Money}. */
		String name() {
			return this.path + ": " + this.type.getSimpleName();
		}

		String problem() {
			return this.type.getName() + this.flaw;
		}

	}

}
