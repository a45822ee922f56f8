package dev.eventing.sdk.annotation;

import java.time.Clock;
import java.time.Duration;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetterLedger;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** Wires the SDK's parts; see {@link EnableEventing} for what the application brings. */
@Configuration(proxyBeanMethods = false)
public class EventingConfiguration {

	private static final Duration DRAIN = Duration.ofSeconds(10);

	@Bean
	static ProjectorAnnotationBeanPostProcessor projectorAnnotationBeanPostProcessor() {
		return new ProjectorAnnotationBeanPostProcessor();
	}

	@Bean
	NatsClient eventingNatsClient(NatsOptions options) {
		return new NatsClient(options);
	}

	@Bean
	Streams eventingStreams(NatsClient client, ObjectProvider<StreamSpec> declared) {
		return new Streams(client, declared.orderedStream().toList());
	}

	@Bean(initMethod = "initialize")
	SchemaInitializer eventingSchemaInitializer(DataSource dataSource, ObjectProvider<EventingSchema> schema,
			ObjectProvider<SchemaMode> mode) {
		return new SchemaInitializer(dataSource, schema.getIfAvailable(EventingSchema::defaults),
				mode.getIfAvailable(() -> SchemaMode.VALIDATE));
	}

	@Bean
	EventReader eventReader(ObjectProvider<JsonMapper> json) {
		return new EventReader(json.getIfUnique(EventJson::mapper));
	}

	@Bean
	EventWriter eventWriter(ObjectProvider<JsonMapper> json) {
		return new EventWriter(json.getIfUnique(EventJson::mapper));
	}

	@Bean
	EventPublisher eventPublisher(NatsClient client, Streams streams, EventWriter writer) {
		return new EventPublisher(client, streams, writer);
	}

	@Bean
	ProcessedEvents processedEvents(DataSource dataSource, ObjectProvider<EventingSchema> schema) {
		return new ProcessedEvents(new JdbcTemplate(dataSource), schema.getIfAvailable(EventingSchema::defaults));
	}

	@Bean
	DeadLetterLedger deadLetterLedger(DataSource dataSource, ObjectProvider<EventingSchema> schema) {
		return new DeadLetterLedger(new JdbcTemplate(dataSource), schema.getIfAvailable(EventingSchema::defaults),
				EventJson.mapper());
	}

	/** Comes after the schema, because a projector that starts uses its tables. */
	@Bean
	ProjectorRegistry projectorRegistry(SchemaInitializer initialized, NatsClient client, Streams streams,
			EventReader reader, DataSource dataSource, PlatformTransactionManager transactionManager,
			ProcessedEvents processedEvents, DeadLetterLedger deadLetters, ObjectProvider<EventingSchema> schema,
			ObjectProvider<Clock> clock) {
		return new ProjectorRegistry(new ProjectorServices(client, streams, reader, dataSource, transactionManager,
				schema.getIfAvailable(EventingSchema::defaults), processedEvents, deadLetters,
				clock.getIfUnique(Clock::systemUTC)), DRAIN);
	}

}
