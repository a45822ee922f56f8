package dev.eventing.sdk.store;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The attributes of an event that the column "metadata" holds. Attributes without a value
 * are omitted.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record StoredMetadata(String source, @Nullable String key, @Nullable String correlationId, @Nullable String causationId,
		@Nullable Map<String, List<String>> headers, @Nullable Integer typeVersion, @Nullable Boolean erased) {

	/**
	 * A separate mapper: settings of the application's mapper must not change the stored
	 * form.
	 */
	private static final JsonMapper MAPPER = EventJson.mapper();

	static String json(Event<?> event) {
		EventHeaders headers = event.headers();
		return MAPPER.writeValueAsString(new StoredMetadata(event.source(), event.key(), event.correlationId(),
				event.causationId(), headers.isEmpty() ? null : headers.toMap(),
				(event.typeVersion() > 1) ? event.typeVersion() : null, null));
	}

	static StoredMetadata of(String json) {
		return MAPPER.readValue(json, StoredMetadata.class);
	}

	/** The version of the event's type; 1 if the event has none. */
	int version() {
		return (this.typeVersion != null) ? this.typeVersion : 1;
	}

	/** Whether the content of the event was erased. */
	boolean isErased() {
		return Boolean.TRUE.equals(this.erased);
	}

	EventHeaders eventHeaders() {
		return (this.headers != null) ? EventHeaders.of(this.headers) : EventHeaders.empty();
	}

}
