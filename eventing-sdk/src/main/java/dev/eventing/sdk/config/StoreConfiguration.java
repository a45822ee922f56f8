package dev.eventing.sdk.config;

import dev.eventing.sdk.event.EventJsonMapper;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.store.AppendListener;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.PostgresNotifications;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/** The beans of the event store. */
@Configuration(proxyBeanMethods = false)
class StoreConfiguration {

	@Bean
	@Fallback
	AppendSignal eventingAppendSignal() {
		return new AppendSignal();
	}

	/** Created after the schema, because users of the store append to its tables. */
	@Bean
	@Fallback
	EventStore eventingEventStore(SchemaInitializer initialized, EventingDatabase database, EventJsonMapper json,
			AppendSignal signal, DeclaredOptions options, EventWriter writer,
			ObjectProvider<AppendListener> listeners) {
		return new EventStore(database.dataSource(), database.schema(), json.mapper(), signal, options.store(),
				options.clock(), writer)
			.withListeners(listeners.stream().toList());
	}

	/** Null, which means no bean, if the store does not notify other nodes. */
	@Bean(initMethod = "start")
	@Fallback
	@Nullable PostgresNotifications eventingPostgresNotifications(EventingDatabase database, AppendSignal signal,
			DeclaredOptions options) {
		return options.store().notifies() ? new PostgresNotifications(database.bounded(), database.schema(), signal)
				: null;
	}

	@Bean
	@Fallback
	EventLog eventingEventLog(SchemaInitializer initialized, EventingDatabase database, EventJsonMapper json,
			EventVersions versions) {
		return new EventLog(database.bounded(), database.schema(), json.mapper(), versions);
	}

	@Bean
	@Fallback
	EventSubjects eventingEventSubjects(DeclaredOptions options) {
		return options.store().subjects();
	}

	@Bean
	StoredSubjectsCheck eventingStoredSubjectsCheck(EventSubjects subjects, ProjectorRegistry registry,
			ObjectProvider<RelayOptions> relays) {
		return new StoredSubjectsCheck(subjects, registry::endpoints, () -> relays.orderedStream().toList());
	}

	@Bean
	@Fallback
	EventStoreAccess eventingEventStoreAccess(EventLog log, AppendSignal signal, EventSubjects subjects,
			EventWriter writer, ObjectProvider<EventStore> store) {
		return new EventStoreAccess(log, signal, subjects, writer, store::getObject);
	}

}
