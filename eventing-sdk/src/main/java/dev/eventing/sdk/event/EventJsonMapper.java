package dev.eventing.sdk.event;

import java.util.Objects;

import tools.jackson.databind.json.JsonMapper;

/**
 * The mapper that writes and binds the payloads of events and the states of snapshots. An
 * application that does not want {@link EventJson#mapper()} declares one bean of this
 * type. A {@code JsonMapper} bean, and {@code spring.jackson.*}, have no influence on
 * events.
 *
 * <p>
 * The mapper is the form of stored events: with another one, events that were written
 * before may no longer fit their classes.
 *
 * @param mapper writes and binds
 */
public record EventJsonMapper(JsonMapper mapper) {

	public EventJsonMapper {
		Objects.requireNonNull(mapper, "mapper");
	}

}
