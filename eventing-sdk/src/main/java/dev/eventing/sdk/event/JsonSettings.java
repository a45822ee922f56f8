package dev.eventing.sdk.event;

import java.util.Locale;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.core.Base64Variants;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.ConstructorDetector;
import tools.jackson.databind.cfg.ConstructorDetector.SingleArgConstructor;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.cfg.MutableCoercionConfig;
import tools.jackson.databind.introspect.DefaultAccessorNamingStrategy;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.introspect.VisibilityChecker;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * The settings of {@link EventJson}. Each feature is set, whatever its default is: a
 * default that changes with a version of Jackson must not change the form of events. A
 * test has the same list, and fails where Jackson has a feature that is not in it.
 */
final class JsonSettings {

	private JsonSettings() {
	}

	static JsonMapper.Builder apply(JsonMapper.Builder builder) {
		properties(builder);
		values(builder);
		coercions(builder);
		reading(builder);
		writing(builder);
		times(builder);
		enums(builder);
		text(builder);
		return builder.addModule(new EventJsonModule());
	}

	/** Which properties a class has, and what they are called. */
	private static void properties(JsonMapper.Builder builder) {
		builder.annotationIntrospector(new JacksonAnnotationIntrospector())
			.accessorNaming(new DefaultAccessorNamingStrategy.Provider())
			.propertyNamingStrategy(null)
			.changeDefaultVisibility((any) -> visibility())
			.changeDefaultPropertyInclusion(
					(any) -> JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
			.constructorDetector(ConstructorDetector.DEFAULT.withSingleArgMode(SingleArgConstructor.HEURISTIC)
				.withRequireAnnotation(false)
				.withAllowJDKTypeConstructors(false)
				.withAllowImplicitWithDefaultConstructor(true))
			.enable(MapperFeature.USE_ANNOTATIONS, MapperFeature.INFER_PROPERTY_MUTATORS,
					MapperFeature.INFER_CREATOR_FROM_CONSTRUCTOR_PROPERTIES, MapperFeature.ALLOW_VOID_VALUED_PROPERTIES,
					MapperFeature.DETECT_PARAMETER_NAMES, MapperFeature.CAN_OVERRIDE_ACCESS_MODIFIERS,
					MapperFeature.OVERRIDE_PUBLIC_ACCESS_MODIFIERS, MapperFeature.INFER_BUILDER_TYPE_BINDINGS,
					MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, MapperFeature.SORT_CREATOR_PROPERTIES_FIRST,
					MapperFeature.FIX_FIELD_NAME_UPPER_CASE_PREFIX)
			.disable(MapperFeature.USE_GETTERS_AS_SETTERS, MapperFeature.PROPAGATE_TRANSIENT_MARKER,
					MapperFeature.REQUIRE_SETTERS_FOR_GETTERS, MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS,
					MapperFeature.ALLOW_IS_GETTERS_FOR_NON_BOOLEAN,
					MapperFeature.INFER_RECORD_GETTERS_FROM_COMPONENTS_ONLY, MapperFeature.INVERSE_READ_WRITE_ACCESS,
					MapperFeature.DEFAULT_VIEW_INCLUSION, MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES,
					MapperFeature.USE_WRAPPER_NAME_AS_PROPERTY_NAME, MapperFeature.ALLOW_EXPLICIT_PROPERTY_RENAMING);
	}

	private static VisibilityChecker visibility() {
		return VisibilityChecker.defaultInstance()
			.withFieldVisibility(Visibility.PUBLIC_ONLY)
			.withGetterVisibility(Visibility.PUBLIC_ONLY)
			.withIsGetterVisibility(Visibility.PUBLIC_ONLY)
			.withSetterVisibility(Visibility.ANY)
			.withCreatorVisibility(Visibility.PUBLIC_ONLY)
			.withScalarConstructorVisibility(Visibility.NON_PRIVATE);
	}

	/** Types of values in both directions. */
	private static void values(JsonMapper.Builder builder) {
		builder.defaultBase64Variant(Base64Variants.MIME_NO_LINEFEEDS)
			.enable(MapperFeature.REQUIRE_TYPE_ID_FOR_SUBTYPES, MapperFeature.ALLOW_COERCION_OF_SCALARS,
					MapperFeature.IGNORE_MERGE_FOR_UNMERGEABLE, MapperFeature.APPLY_DEFAULT_VALUES)
			.disable(MapperFeature.USE_STATIC_TYPING, MapperFeature.USE_BASE_TYPE_AS_DEFAULT_IMPL,
					MapperFeature.ACCEPT_CASE_INSENSITIVE_VALUES, MapperFeature.WRAPPERS_DEFAULT_TO_NULL)
			.enable(JsonNodeFeature.READ_NULL_PROPERTIES, JsonNodeFeature.WRITE_NULL_PROPERTIES,
					// A JsonNode keeps every digit, as PostgreSQL and the wire do.
					JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
			.disable(JsonNodeFeature.WRITE_PROPERTIES_SORTED, JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES,
					JsonNodeFeature.FAIL_ON_NAN_TO_BIG_DECIMAL_COERCION);
	}

	/**
	 * What would be another value: null for an empty text, true for 12, and a character
	 * for a number.
	 */
	private static void coercions(JsonMapper.Builder builder) {
		Stream.of(LogicalType.Integer, LogicalType.Float, LogicalType.Boolean, LogicalType.DateTime)
			.forEach((type) -> builder.withCoercionConfig(type,
					(config) -> refuse(config, CoercionInputShape.EmptyString)));
		builder.withCoercionConfig(UUID.class, (config) -> refuse(config, CoercionInputShape.EmptyString))
			.withCoercionConfig(LogicalType.Boolean, (config) -> refuse(config, CoercionInputShape.Integer))
			.withCoercionConfig(Character.class, (config) -> refuse(config, CoercionInputShape.Integer))
			.withCoercionConfig(char.class, (config) -> refuse(config, CoercionInputShape.Integer));
	}

	private static void refuse(MutableCoercionConfig config, CoercionInputShape shape) {
		config.setCoercion(shape, CoercionAction.Fail);
	}

	private static void reading(JsonMapper.Builder builder) {
		builder
			.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, DeserializationFeature.FAIL_ON_INVALID_SUBTYPE,
					DeserializationFeature.IGNORE_ABSTRACT_TYPES_FOR_DEDUCTION,
					DeserializationFeature.FAIL_ON_UNRESOLVED_OBJECT_IDS,
					DeserializationFeature.FAIL_ON_MISSING_EXTERNAL_TYPE_ID_PROPERTY,
					DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.WRAP_EXCEPTIONS,
					DeserializationFeature.FAIL_ON_UNKNOWN_INJECT_VALUE,
					DeserializationFeature.EAGER_DESERIALIZER_FETCH)
			.disable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.USE_BIG_INTEGER_FOR_INTS,
					DeserializationFeature.USE_LONG_FOR_INTS, DeserializationFeature.USE_JAVA_ARRAY_FOR_JSON_ARRAY,
					DeserializationFeature.USE_NULL_FOR_MISSING_REFERENCE_VALUES,
					DeserializationFeature.USE_NULL_FOR_EMPTY_UNWRAPPED,
					DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY,
					DeserializationFeature.FAIL_ON_IGNORED_PROPERTIES,
					DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_SUBTYPE_CLASS_NOT_REGISTERED,
					DeserializationFeature.FAIL_ON_UNEXPECTED_VIEW_PROPERTIES,
					DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY,
					DeserializationFeature.UNWRAP_SINGLE_VALUE_ARRAYS, DeserializationFeature.UNWRAP_ROOT_VALUE,
					DeserializationFeature.ACCEPT_EMPTY_STRING_AS_NULL_OBJECT,
					DeserializationFeature.ACCEPT_EMPTY_ARRAY_AS_NULL_OBJECT,
					// It would cut 12.75 to 12.
					DeserializationFeature.ACCEPT_FLOAT_AS_INT);
	}

	private static void writing(JsonMapper.Builder builder) {
		builder
			// Private fields without getters would be written as {}. Records may be
			// empty.
			.enable(SerializationFeature.FAIL_ON_EMPTY_BEANS, SerializationFeature.FAIL_ON_SELF_REFERENCES,
					SerializationFeature.WRAP_EXCEPTIONS, SerializationFeature.FAIL_ON_UNWRAPPED_TYPE_IDENTIFIERS,
					SerializationFeature.FLUSH_AFTER_WRITE_VALUE, SerializationFeature.WRITE_EMPTY_JSON_ARRAYS,
					SerializationFeature.EAGER_SERIALIZER_FETCH)
			.disable(SerializationFeature.WRAP_ROOT_VALUE, SerializationFeature.INDENT_OUTPUT,
					SerializationFeature.WRITE_SELF_REFERENCES_AS_NULL, SerializationFeature.CLOSE_CLOSEABLE,
					SerializationFeature.WRITE_CHAR_ARRAYS_AS_JSON_ARRAYS,
					SerializationFeature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED,
					SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS,
					SerializationFeature.FAIL_ON_ORDER_MAP_BY_INCOMPARABLE_KEY,
					SerializationFeature.APPLY_JSON_INCLUDE_FOR_CONTAINERS,
					SerializationFeature.USE_EQUALITY_FOR_OBJECT_ID);
	}

	/**
	 * No time is moved to another zone when it is read or written. Zone and locale here
	 * are for values that have none: {@code java.util.Date}, and formats in annotations.
	 */
	private static void times(JsonMapper.Builder builder) {
		builder.defaultTimeZone(TimeZone.getTimeZone("UTC"))
			.defaultLocale(Locale.ENGLISH)
			.enable(DateTimeFeature.ONE_BASED_MONTHS, DateTimeFeature.READ_DATE_TIMESTAMPS_AS_NANOSECONDS,
					DateTimeFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS, DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
			.disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE,
					DateTimeFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE, DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID,
					DateTimeFeature.ALWAYS_ALLOW_STRINGIFIED_DATE_TIMESTAMPS, DateTimeFeature.TRUNCATE_TO_MSECS_ON_READ,
					DateTimeFeature.TRUNCATE_TO_MSECS_ON_WRITE, DateTimeFeature.USE_TIME_ZONE_FOR_LENIENT_DATE_PARSING,
					DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DATE_KEYS_AS_TIMESTAMPS,
					DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS, DateTimeFeature.WRITE_UTC_AS_OFFSET);
	}

	private static void enums(JsonMapper.Builder builder) {
		builder.enable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING,
				// The number of a constant changes with the order of the constants.
				EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
			.disable(EnumFeature.READ_ENUM_KEYS_USING_INDEX, EnumFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL,
					EnumFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE, EnumFeature.WRITE_ENUMS_TO_LOWERCASE,
					EnumFeature.WRITE_ENUMS_USING_INDEX, EnumFeature.WRITE_ENUM_KEYS_USING_INDEX)
			.disable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS);
	}

	/** JSON as in RFC 8259. */
	private static void text(JsonMapper.Builder builder) {
		builder
			.enable(StreamReadFeature.AUTO_CLOSE_SOURCE, StreamReadFeature.CLEAR_CURRENT_TOKEN_ON_CLOSE,
					StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER, StreamReadFeature.USE_FAST_DOUBLE_PARSER)
			.disable(StreamReadFeature.IGNORE_UNDEFINED, StreamReadFeature.STRICT_DUPLICATE_DETECTION,
					StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
			.enable(StreamWriteFeature.AUTO_CLOSE_CONTENT, StreamWriteFeature.AUTO_CLOSE_TARGET,
					StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
			.disable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN, StreamWriteFeature.IGNORE_UNKNOWN,
					StreamWriteFeature.STRICT_DUPLICATE_DETECTION, StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
			.disable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_YAML_COMMENTS,
					JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER, JsonReadFeature.ALLOW_SINGLE_QUOTES,
					JsonReadFeature.ALLOW_RS_CONTROL_CHAR, JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS,
					JsonReadFeature.ALLOW_UNQUOTED_PROPERTY_NAMES,
					JsonReadFeature.ALLOW_LEADING_DECIMAL_POINT_FOR_NUMBERS,
					JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS,
					JsonReadFeature.ALLOW_LEADING_ZEROS_FOR_NUMBERS, JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS,
					JsonReadFeature.ALLOW_TRAILING_DECIMAL_POINT_FOR_NUMBERS, JsonReadFeature.ALLOW_MISSING_VALUES,
					JsonReadFeature.ALLOW_TRAILING_COMMA)
			.enable(JsonWriteFeature.QUOTE_PROPERTY_NAMES, JsonWriteFeature.WRITE_NAN_AS_STRINGS,
					JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8, JsonWriteFeature.WRITE_HEX_UPPER_CASE)
			.disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES, JsonWriteFeature.ESCAPE_NON_ASCII,
					JsonWriteFeature.WRITE_NUMBERS_AS_STRINGS);
	}

}
