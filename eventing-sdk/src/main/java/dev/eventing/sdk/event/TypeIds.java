package dev.eventing.sdk.event;

import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * The id of the class in a payload, which {@link JsonTypeInfo} demands. The type of an
 * event has chosen the class already, so an id that is absent or unknown is no reason to
 * refuse the payload. Ids of properties are demanded as ever. Thread-safe.
 */
final class TypeIds {

	private final Class<?> type;

	private final JsonTypeInfo.Value info;

	private final ObjectReader withoutId;

	/** The names that an object of the class may begin with. */
	private final Set<String> properties;

	private TypeIds(Class<?> type, JsonTypeInfo.Value info, ObjectReader withoutId, Set<String> properties) {
		this.type = type;
		this.info = info;
		this.withoutId = withoutId;
		this.properties = properties;
	}

	/** Returns null if payloads of this class have no id, or it is not chosen yet. */
	static @Nullable TypeIds of(Class<?> type, JsonMapper mapper) {
		if (Modifier.isAbstract(type.getModifiers())) {
			return null;
		}
		JavaType bound = mapper.constructType(type);
		DeserializationConfig config = mapper.deserializationConfig();
		ClassIntrospector introspector = config.classIntrospectorInstance().forOperation(config);
		AnnotatedClass annotations = introspector.introspectClassAnnotations(bound);
		JsonTypeInfo.Value info = config.getAnnotationIntrospector().findPolymorphicTypeInfo(config, annotations);
		if (info == null) {
			return null;
		}
		String id = (info.getPropertyName() != null) ? info.getPropertyName()
				: info.getIdType().getDefaultPropertyName();
		ObjectReader withoutId = mapper.rebuild()
			.addModule(new SimpleModule().addDeserializer(Root.class, new RootDeserializer()))
			.build()
			.readerFor(Root.class)
			.withAttribute(Root.class, bound)
			.withHandler(new UnusedId(id));
		return new TypeIds(type, info, withoutId, names(introspector.introspectForDeserialization(bound, annotations)));
	}

	private static Set<String> names(BeanDescription description) {
		return description.findProperties()
			.stream()
			.flatMap((property) -> Stream.concat(Stream.of(property.getName()),
					property.findAliases().stream().map(PropertyName::getSimpleName)))
			.collect(Collectors.toSet());
	}

	/**
	 * The reader of {@link Root} for a payload that did not fit the class with its id;
	 * null if the id was not the reason.
	 */
	@Nullable ObjectReader withoutId(byte[] json, MismatchedInputException failure, JsonMapper mapper) {
		if (!failure.getPath().isEmpty()) {
			return null; // the id of a property
		}
		return isDispensable(json, failure, mapper) ? this.withoutId : null;
	}

	private boolean isDispensable(byte[] json, MismatchedInputException failure, JsonMapper mapper) {
		if (this.info.getInclusionType() == JsonTypeInfo.As.WRAPPER_ARRAY) {
			return begin(json, mapper) != null;
		}
		if (this.info.getInclusionType() == JsonTypeInfo.As.WRAPPER_OBJECT) {
			// else its first name is an id, and the object in it the payload
			String first = begin(json, mapper);
			return first != null && (first.isEmpty() || this.properties.contains(first));
		}
		if (!(failure instanceof InvalidTypeIdException invalid)) {
			return false;
		}
		// An unknown id may be that of a class below, whose properties would be lost.
		return invalid.getTypeId() == null || Modifier.isFinal(this.type.getModifiers())
				|| !this.type.isAnnotationPresent(JsonTypeInfo.class);
	}

	/** The first name in an object, empty if it has none; null if it is no object. */
	private static @Nullable String begin(byte[] json, JsonMapper mapper) {
		try (JsonParser parser = mapper.createParser(json)) {
			if (parser.nextToken() != JsonToken.START_OBJECT) {
				return null;
			}
			return (parser.nextToken() == JsonToken.PROPERTY_NAME) ? parser.currentName() : "";
		}
	}

	/** Stands for a payload of the class in the attribute. */
	record Root(@Nullable Object payload) {
	}

	/** Binds to the class itself, past what finds a class by an id. */
	private static final class RootDeserializer extends StdDeserializer<Root> {

		RootDeserializer() {
			super(Root.class);
		}

		@Override
		public Root deserialize(JsonParser parser, DeserializationContext context) {
			JavaType type = (JavaType) context.getAttribute(Root.class);
			return new Root(context.findContextualValueDeserializer(type, null).deserialize(parser, context));
		}

	}

	/** The id is no property of the class, and may be there. */
	private static final class UnusedId extends DeserializationProblemHandler {

		private final @Nullable String property;

		UnusedId(@Nullable String property) {
			this.property = property;
		}

		@Override
		public boolean handleUnknownProperty(DeserializationContext context, JsonParser parser,
				ValueDeserializer<?> deserializer, Object beanOrClass, String name) {
			if (name.equals(this.property)) {
				parser.skipChildren();
				return true;
			}
			return false;
		}

	}

}
