package dev.eventing.sdk.event;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * How payloads are written and bound unless the application configures another mapper.
 */
public final class EventJson {

	private EventJson() {
	}

	/**
	 * A mapper that ignores unknown properties, so that publishers can add properties. It
	 * reads and writes {@code java.time} as ISO 8601 text.
	 */
	public static JsonMapper mapper() {
		return JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
	}

}
