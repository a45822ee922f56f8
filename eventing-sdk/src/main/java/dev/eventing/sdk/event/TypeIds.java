package dev.eventing.sdk.event;

import java.lang.reflect.Modifier;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The ids of classes in payloads, which {@link JsonTypeInfo} demands. The type of an
 * event has chosen the class already, so an id that is absent or unknown is no reason to
 * refuse the payload.
 */
final class TypeIds {

	private TypeIds() {
	}

	/**
	 * Whether a payload may fit this class without its id, after it did not fit with it.
	 */
	static boolean areDispensable(MismatchedInputException failure, Class<?> type) {
		if (!failure.getPath().isEmpty() || Modifier.isAbstract(type.getModifiers())) {
			return false; // the id of a property, or of a class that is not chosen yet
		}
		boolean unknown = failure instanceof InvalidTypeIdException invalid && invalid.getTypeId() != null;
		// it may be that of a class below this one, whose properties would be lost
		boolean mayBeBelow = !Modifier.isFinal(type.getModifiers()) && type.isAnnotationPresent(JsonTypeInfo.class);
		return !unknown || !mayBeBelow;
	}

	/**
	 * A reader that binds to this class and demands no id. Null if the class has none.
	 */
	static @Nullable ObjectReader withoutIdOf(Class<?> type, JsonMapper mapper) {
		DeserializationConfig config = mapper.deserializationConfig();
		JavaType bound = mapper.constructType(type);
		JsonTypeInfo.Value info = config.getAnnotationIntrospector()
			.findPolymorphicTypeInfo(config,
					config.classIntrospectorInstance().forOperation(config).introspectClassAnnotations(bound));
		if (info == null) {
			return null;
		}
		String property = (info.getPropertyName() != null) ? info.getPropertyName()
				: info.getIdType().getDefaultPropertyName();
		return mapper.rebuild()
			.addMixIn(type, NoTypeInfo.class)
			.build()
			.readerFor(bound)
			.withHandler(new UnusedId(property));
	}

	/** In place of the annotation of the class or of its supertypes. */
	@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
	private interface NoTypeInfo {

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
