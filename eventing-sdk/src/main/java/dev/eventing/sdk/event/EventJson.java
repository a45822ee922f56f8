package dev.eventing.sdk.event;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * How payloads are written and bound unless the application declares an
 * {@link EventJsonMapper}. The mapper is the form of stored events, so it depends neither
 * on the application's settings for its web, nor on the modules on the class path, nor on
 * the machine's locale and time zone, and it sets every feature that Jackson has.
 *
 * <ul>
 * <li>Properties have the names of record components, getters and public fields.</li>
 * <li>A class without any property is refused, unless it is a record: its fields would be
 * lost.</li>
 * <li>Unknown properties are ignored, so that publishers can add properties.</li>
 * <li>An absent property has the default of its type: 0, false, an empty
 * {@code Optional}, or null. JSON null for a primitive type is refused.</li>
 * <li>{@code java.time} is ISO 8601 text. Times keep the offset, and a
 * {@code ZonedDateTime} its zone: what was written is what is read.</li>
 * <li>Numbers keep their digits as {@code BigDecimal} and in a {@code JsonNode}. A number
 * with a fraction is refused for a whole type.</li>
 * <li>Enum constants are their {@code toString()}. A number, and a name that is no
 * constant, is refused.</li>
 * <li>What would become another value is refused: a time in a {@code LocalDate}, an empty
 * text for what is no text, a record as the key of a map.</li>
 * <li>Subtypes are written and bound only as annotations of the type specify. The id of a
 * class in the payload is not needed where the type of the event has chosen the
 * class.</li>
 * </ul>
 */
public final class EventJson {

	/** In characters. {@code StorableJson} accepts fewer. */
	private static final int MAX_NUMBER = 1000;

	private static final int MAX_STRING = 100_000_000;

	private static final int MAX_NAME = 50_000;

	private static final int MAX_DEPTH = 500;

	private EventJson() {
	}

	/**
	 * A mapper with the SDK's settings. Each call creates one. To change some of them,
	 * use {@code EventJson.mapper().rebuild()}, and declare the result as
	 * {@link EventJsonMapper}.
	 */
	public static JsonMapper mapper() {
		return JsonSettings.apply(JsonMapper.builder(factory())).build();
	}

	/** Jackson's own limits can be replaced for the whole process; these cannot. */
	private static JsonFactory factory() {
		return JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder()
				.maxNumberLength(MAX_NUMBER)
				.maxStringLength(MAX_STRING)
				.maxNameLength(MAX_NAME)
				.maxNestingDepth(MAX_DEPTH)
				.maxDocumentLength(-1)
				.maxTokenCount(-1)
				.build())
			.streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
			.build();
	}

}
