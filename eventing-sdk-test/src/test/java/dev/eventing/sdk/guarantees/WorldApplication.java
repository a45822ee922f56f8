package dev.eventing.sdk.guarantees;

import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.config.EnableEventing;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterForwarder;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.ledger.DeadLetterLedger;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.AppendResult;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What an application of a test is made of. */
final class WorldApplication {

	final Object[] handlers;

	ProjectorSettingsSource settings = ProjectorSettingsSource.none();

	Map<String, String> properties = Map.of();

	String natsUrl = "";

	SchemaMode schema = SchemaMode.MIGRATE;

	Duration lease = LeaseOptions.DEFAULT_DURATION;

	Consumer<AnnotationConfigApplicationContext> customizer = (context) -> {
	};

	private WorldApplication(Object... handlers) {
		this.handlers = handlers;
	}

	static WorldApplication of(Object... handlers) {
		return new WorldApplication(handlers);
	}

	/** Settings of every projector, over those of its annotation. */
	WorldApplication with(ProjectorSettings all) {
		this.settings = new ProjectorSettingsSource() {

			@Override
			public ProjectorSettings defaults() {
				return ProjectorSettings.NONE;
			}

			@Override
			public ProjectorSettings forProjector(String name) {
				return all;
			}
		};
		return this;
	}

	WorldApplication properties(Map<String, String> values) {
		this.properties = values;
		return this;
	}

	/** Reaches NATS there, such as through a proxy. */
	WorldApplication natsAt(String url) {
		this.natsUrl = url;
		return this;
	}

	/** Whoever dies still owns its projectors for so long. */
	WorldApplication lease(Duration duration) {
		this.lease = duration;
		return this;
	}

	WorldApplication schema(SchemaMode mode) {
		this.schema = mode;
		return this;
	}

	/** Changes of several calls are made in their order. */
	WorldApplication customize(Consumer<AnnotationConfigApplicationContext> change) {
		this.customizer = this.customizer.andThen(change);
		return this;
	}

	String natsUrl(String other) {
		return this.natsUrl.isEmpty() ? other : this.natsUrl;
	}

}
