package dev.eventing.sdk.config;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.EventDowncaster;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventJsonMapper;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.EventUpcaster;
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.event.WrittenVersions;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.EventVerifier;
import dev.eventing.sdk.store.SnapshotRebuilder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/**
 * Declares the beans that decide in which form events are written and read. Each is a
 * fallback, as in {@link EventingConfiguration}.
 */
@Configuration(proxyBeanMethods = false)
class EventFormConfiguration {

	/** Not the application's {@code JsonMapper}, which is for its web. */
	@Bean
	@Fallback
	EventJsonMapper eventingEventJsonMapper() {
		return new EventJsonMapper(EventJson.mapper());
	}

	@Bean
	@Fallback
	EventVersions eventingEventVersions(ObjectProvider<EventUpcaster> upcasters,
			ObjectProvider<EventDowncaster> downcasters, ObjectProvider<WrittenVersions> written) {
		return EventVersions.of(upcasters.stream().toList(), downcasters.stream().toList(),
				written.getIfAvailable(() -> WrittenVersions.NEWEST));
	}

	@Bean
	@Fallback
	EventReader eventingEventReader(EventJsonMapper json, EventVersions versions) {
		return new EventReader(json.mapper(), versions);
	}

	@Bean
	@Fallback
	EventWriter eventingEventWriter(EventJsonMapper json, EventVersions versions) {
		return new EventWriter(json.mapper(), versions);
	}

	/** Asks for the classes when it verifies, because handlers are found last. */
	@Bean
	@Fallback
	EventVerifier eventingEventVerifier(EventLog log, ObjectProvider<ProjectorRegistry> projectors,
			ObjectProvider<PayloadTypes<?>> folds) {
		return new EventVerifier(log, () -> {
			List<Map<String, Type>> all = new ArrayList<>();
			projectors.ifAvailable((registry) -> registry.endpoints()
				.forEach((endpoint) -> endpoint.handlers().forEach((handler) -> all.add(namedTypes(handler)))));
			folds.forEach((types) -> all.add(Map.copyOf(types.byName())));
			return all;
		});
	}

	@Bean
	@Fallback
	SnapshotRebuilder eventingSnapshotRebuilder(EventStore store, EventingDatabase database) {
		return new SnapshotRebuilder(store, database.dataSource(), database.schema());
	}

	private static Map<String, Type> namedTypes(HandlerMethod handler) {
		Map<String, Type> types = new HashMap<>(handler.payloadTypes());
		types.remove(HandlerMethod.ANY_TYPE);
		return types;
	}

}
