package dev.eventing.sdk.event;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The list of all of Jackson's features. It fails where a version of Jackson has one that
 * is not in it: decide what the SDK's mapper does, and set it.
 */
class JsonSettingsTests {

	private static final String MAPPER_FEATURE_ON = """
			USE_ANNOTATIONS INFER_PROPERTY_MUTATORS INFER_CREATOR_FROM_CONSTRUCTOR_PROPERTIES
			ALLOW_VOID_VALUED_PROPERTIES DETECT_PARAMETER_NAMES CAN_OVERRIDE_ACCESS_MODIFIERS
			OVERRIDE_PUBLIC_ACCESS_MODIFIERS INFER_BUILDER_TYPE_BINDINGS REQUIRE_TYPE_ID_FOR_SUBTYPES
			SORT_PROPERTIES_ALPHABETICALLY SORT_CREATOR_PROPERTIES_FIRST FIX_FIELD_NAME_UPPER_CASE_PREFIX
			ALLOW_COERCION_OF_SCALARS IGNORE_MERGE_FOR_UNMERGEABLE APPLY_DEFAULT_VALUES
			""";

	private static final String MAPPER_FEATURE_OFF = """
			USE_GETTERS_AS_SETTERS PROPAGATE_TRANSIENT_MARKER REQUIRE_SETTERS_FOR_GETTERS
			ALLOW_FINAL_FIELDS_AS_MUTATORS ALLOW_IS_GETTERS_FOR_NON_BOOLEAN
			INFER_RECORD_GETTERS_FROM_COMPONENTS_ONLY INVERSE_READ_WRITE_ACCESS USE_STATIC_TYPING
			USE_BASE_TYPE_AS_DEFAULT_IMPL DEFAULT_VIEW_INCLUSION ACCEPT_CASE_INSENSITIVE_PROPERTIES
			ACCEPT_CASE_INSENSITIVE_ENUMS ACCEPT_CASE_INSENSITIVE_VALUES USE_WRAPPER_NAME_AS_PROPERTY_NAME
			ALLOW_EXPLICIT_PROPERTY_RENAMING WRAPPERS_DEFAULT_TO_NULL
			""";

	private static final String DESERIALIZATION_FEATURE_ON = """
			FAIL_ON_NULL_FOR_PRIMITIVES FAIL_ON_INVALID_SUBTYPE IGNORE_ABSTRACT_TYPES_FOR_DEDUCTION
			FAIL_ON_UNRESOLVED_OBJECT_IDS FAIL_ON_MISSING_EXTERNAL_TYPE_ID_PROPERTY FAIL_ON_TRAILING_TOKENS
			WRAP_EXCEPTIONS FAIL_ON_UNKNOWN_INJECT_VALUE EAGER_DESERIALIZER_FETCH
			""";

	private static final String DESERIALIZATION_FEATURE_OFF = """
			USE_BIG_DECIMAL_FOR_FLOATS USE_BIG_INTEGER_FOR_INTS USE_LONG_FOR_INTS
			USE_JAVA_ARRAY_FOR_JSON_ARRAY USE_NULL_FOR_MISSING_REFERENCE_VALUES
			USE_NULL_FOR_EMPTY_UNWRAPPED FAIL_ON_UNKNOWN_PROPERTIES FAIL_ON_READING_DUP_TREE_KEY
			FAIL_ON_IGNORED_PROPERTIES FAIL_ON_MISSING_CREATOR_PROPERTIES FAIL_ON_NULL_CREATOR_PROPERTIES
			FAIL_ON_SUBTYPE_CLASS_NOT_REGISTERED FAIL_ON_UNEXPECTED_VIEW_PROPERTIES
			ACCEPT_SINGLE_VALUE_AS_ARRAY UNWRAP_SINGLE_VALUE_ARRAYS UNWRAP_ROOT_VALUE
			ACCEPT_EMPTY_STRING_AS_NULL_OBJECT ACCEPT_EMPTY_ARRAY_AS_NULL_OBJECT ACCEPT_FLOAT_AS_INT
			""";

	private static final String SERIALIZATION_FEATURE_ON = """
			FAIL_ON_EMPTY_BEANS FAIL_ON_SELF_REFERENCES WRAP_EXCEPTIONS FAIL_ON_UNWRAPPED_TYPE_IDENTIFIERS
			FLUSH_AFTER_WRITE_VALUE WRITE_EMPTY_JSON_ARRAYS EAGER_SERIALIZER_FETCH
			""";

	private static final String SERIALIZATION_FEATURE_OFF = """
			WRAP_ROOT_VALUE INDENT_OUTPUT WRITE_SELF_REFERENCES_AS_NULL CLOSE_CLOSEABLE
			WRITE_CHAR_ARRAYS_AS_JSON_ARRAYS WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED ORDER_MAP_ENTRIES_BY_KEYS
			FAIL_ON_ORDER_MAP_BY_INCOMPARABLE_KEY APPLY_JSON_INCLUDE_FOR_CONTAINERS
			USE_EQUALITY_FOR_OBJECT_ID
			""";

	private static final String DATE_TIME_FEATURE_ON = """
			ONE_BASED_MONTHS READ_DATE_TIMESTAMPS_AS_NANOSECONDS WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS
			WRITE_DATES_WITH_ZONE_ID
			""";

	private static final String DATE_TIME_FEATURE_OFF = """
			ADJUST_DATES_TO_CONTEXT_TIME_ZONE ALWAYS_ALLOW_STRINGIFIED_DATE_TIMESTAMPS
			NORMALIZE_DESERIALIZED_ZONE_ID TRUNCATE_TO_MSECS_ON_READ TRUNCATE_TO_MSECS_ON_WRITE
			USE_TIME_ZONE_FOR_LENIENT_DATE_PARSING WRITE_DATES_AS_TIMESTAMPS WRITE_DATE_KEYS_AS_TIMESTAMPS
			WRITE_DATES_WITH_CONTEXT_TIME_ZONE WRITE_DURATIONS_AS_TIMESTAMPS WRITE_UTC_AS_OFFSET
			""";

	private static final String ENUM_FEATURE_ON = """
			FAIL_ON_NUMBERS_FOR_ENUMS READ_ENUMS_USING_TO_STRING WRITE_ENUMS_USING_TO_STRING
			""";

	private static final String ENUM_FEATURE_OFF = """
			READ_ENUM_KEYS_USING_INDEX READ_UNKNOWN_ENUM_VALUES_AS_NULL
			READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE WRITE_ENUMS_TO_LOWERCASE WRITE_ENUMS_USING_INDEX
			WRITE_ENUM_KEYS_USING_INDEX
			""";

	private static final String JSON_NODE_FEATURE_ON = """
			READ_NULL_PROPERTIES WRITE_NULL_PROPERTIES USE_BIG_DECIMAL_FOR_FLOATS
			""";

	private static final String JSON_NODE_FEATURE_OFF = """
			WRITE_PROPERTIES_SORTED STRIP_TRAILING_BIGDECIMAL_ZEROES FAIL_ON_NAN_TO_BIG_DECIMAL_COERCION
			""";

	private static final String STREAM_READ_FEATURE_ON = """
			AUTO_CLOSE_SOURCE CLEAR_CURRENT_TOKEN_ON_CLOSE USE_FAST_BIG_NUMBER_PARSER
			USE_FAST_DOUBLE_PARSER
			""";

	private static final String STREAM_READ_FEATURE_OFF = """
			IGNORE_UNDEFINED STRICT_DUPLICATE_DETECTION INCLUDE_SOURCE_IN_LOCATION
			""";

	private static final String STREAM_WRITE_FEATURE_ON = """
			AUTO_CLOSE_CONTENT AUTO_CLOSE_TARGET FLUSH_PASSED_TO_STREAM
			""";

	private static final String STREAM_WRITE_FEATURE_OFF = """
			WRITE_BIGDECIMAL_AS_PLAIN IGNORE_UNKNOWN STRICT_DUPLICATE_DETECTION USE_FAST_DOUBLE_WRITER
			""";

	private static final String JSON_READ_FEATURE_ON = """

			""";

	private static final String JSON_READ_FEATURE_OFF = """
			ALLOW_JAVA_COMMENTS ALLOW_YAML_COMMENTS ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER
			ALLOW_SINGLE_QUOTES ALLOW_RS_CONTROL_CHAR ALLOW_UNESCAPED_CONTROL_CHARS
			ALLOW_UNQUOTED_PROPERTY_NAMES ALLOW_LEADING_DECIMAL_POINT_FOR_NUMBERS
			ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS ALLOW_LEADING_ZEROS_FOR_NUMBERS ALLOW_NON_NUMERIC_NUMBERS
			ALLOW_TRAILING_DECIMAL_POINT_FOR_NUMBERS ALLOW_MISSING_VALUES ALLOW_TRAILING_COMMA
			""";

	private static final String JSON_WRITE_FEATURE_ON = """
			QUOTE_PROPERTY_NAMES WRITE_NAN_AS_STRINGS COMBINE_UNICODE_SURROGATES_IN_UTF8
			WRITE_HEX_UPPER_CASE
			""";

	private static final String JSON_WRITE_FEATURE_OFF = """
			ESCAPE_FORWARD_SLASHES ESCAPE_NON_ASCII WRITE_NUMBERS_AS_STRINGS
			""";

	@TestFactory
	Stream<DynamicTest> setEveryFeatureWhateverItWasBefore() {
		return Stream.of(
				features(MapperFeature.class, MAPPER_FEATURE_ON, MAPPER_FEATURE_OFF, JsonMapper.Builder::configure,
						(mapper) -> mapper::isEnabled),
				features(DeserializationFeature.class, DESERIALIZATION_FEATURE_ON, DESERIALIZATION_FEATURE_OFF,
						JsonMapper.Builder::configure, (mapper) -> mapper::isEnabled),
				features(SerializationFeature.class, SERIALIZATION_FEATURE_ON, SERIALIZATION_FEATURE_OFF,
						JsonMapper.Builder::configure, (mapper) -> mapper::isEnabled),
				features(DateTimeFeature.class, DATE_TIME_FEATURE_ON, DATE_TIME_FEATURE_OFF,
						JsonMapper.Builder::configure,
						(mapper) -> mapper.deserializationConfig().getDatatypeFeatures()::isEnabled),
				features(EnumFeature.class, ENUM_FEATURE_ON, ENUM_FEATURE_OFF, JsonMapper.Builder::configure,
						(mapper) -> mapper.deserializationConfig().getDatatypeFeatures()::isEnabled),
				features(JsonNodeFeature.class, JSON_NODE_FEATURE_ON, JSON_NODE_FEATURE_OFF,
						JsonMapper.Builder::configure,
						(mapper) -> mapper.deserializationConfig().getDatatypeFeatures()::isEnabled),
				features(StreamReadFeature.class, STREAM_READ_FEATURE_ON, STREAM_READ_FEATURE_OFF,
						JsonMapper.Builder::configure, (mapper) -> mapper::isEnabled),
				features(StreamWriteFeature.class, STREAM_WRITE_FEATURE_ON, STREAM_WRITE_FEATURE_OFF,
						JsonMapper.Builder::configure, (mapper) -> mapper::isEnabled),
				features(JsonReadFeature.class, JSON_READ_FEATURE_ON, JSON_READ_FEATURE_OFF,
						JsonMapper.Builder::configure, (mapper) -> mapper.tokenStreamFactory()::isEnabled),
				features(JsonWriteFeature.class, JSON_WRITE_FEATURE_ON, JSON_WRITE_FEATURE_OFF,
						JsonMapper.Builder::configure, (mapper) -> mapper.tokenStreamFactory()::isEnabled));
	}

	private static <F extends Enum<F>> DynamicTest features(Class<F> type, String on, String off,
			FeatureSetter<F> setter, Function<JsonMapper, Function<F, Boolean>> state) {
		return DynamicTest.dynamicTest(type.getSimpleName(), () -> {
			Map<String, Boolean> expected = new TreeMap<>();
			names(on).forEach((name) -> expected.put(name, true));
			names(off).forEach((name) -> expected.put(name, false));
			for (boolean before : new boolean[] { true, false }) {
				JsonMapper.Builder builder = JsonMapper.builder();
				for (F feature : type.getEnumConstants()) {
					setter.set(builder, feature, before);
				}
				Function<F, Boolean> isOn = state.apply(JsonSettings.apply(builder).build());
				Map<String, Boolean> found = new TreeMap<>();
				for (F feature : type.getEnumConstants()) {
					found.put(feature.name(), isOn.apply(feature));
				}
				assertThat(found).as("all were %s", before).isEqualTo(expected);
			}
		});
	}

	private static Stream<String> names(String text) {
		return Arrays.stream(text.split("\\s+")).filter((name) -> !name.isEmpty());
	}

	@Test
	void replaceANamingStrategyAndSearchNoModules() {
		JsonMapper mapper = JsonSettings
			.apply(JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE))
			.build();
		assertThat(mapper.serializationConfig().getPropertyNamingStrategy()).isNull();
		assertThat(mapper.registeredModules()).singleElement().isInstanceOf(EventJsonModule.class);
	}

	@Test
	void keepTheirLimitsWhereTheProcessReplacesThoseOfJackson() {
		StreamReadConstraints before = StreamReadConstraints.defaults();
		StreamReadConstraints.overrideDefaultStreamReadConstraints(
				StreamReadConstraints.builder().maxStringLength(10).maxNumberLength(10).build());
		try {
			String text = "x".repeat(1000);
			assertThat(EventJson.mapper().readValue("\"" + text + "\"", String.class)).isEqualTo(text);
			assertThat(EventJson.mapper().readTree("1234567890123").asString()).isEqualTo("1234567890123");
		}
		finally {
			StreamReadConstraints.overrideDefaultStreamReadConstraints(before);
		}
	}

	/** Turns a feature on or off. */
	private interface FeatureSetter<F> {

		void set(JsonMapper.Builder builder, F feature, boolean on);

	}

}
