package dev.eventing.soak;

import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.config.EnableEventing;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.VersionConflictException;
import dev.eventing.soak.node.Moved;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application that appends and publishes, past all proxies, and has no projector.
 */
final class Sender implements AutoCloseable {

	private static final TenantId TENANT = TenantId.of("acme");

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	Sender(Servers servers) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(servers.jdbcUrl());
		pool.setMaximumPoolSize(8);
		pool.setConnectionTimeout(1000);
		this.context.registerBean(HikariDataSource.class, () -> pool);
		this.context.registerBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(pool));
		this.context.registerBean(NatsOptions.class, () -> NatsOptions.of(servers.nats().urls()));
		this.context.registerBean(SchemaMode.class, () -> SchemaMode.VALIDATE);
		this.context.registerBean(EventSubjects.class, () -> EventSubjects.of("soak.{tenant}.{type}"));
		this.context.registerBean(StreamSpec.class, () -> new StreamSpec(Servers.STREAM, List.of("soak.>", "told.>"),
				servers.nats().replicas(), Duration.ofSeconds(2)));
		this.context.register(Eventing.class);
		this.context.refresh();
		this.context.getBean(Streams.class).declareAll();
	}

	/** Appends; a conflict says that the commit that got no answer has taken place. */
	Load.Way appending() {
		EventStore store = this.context.getBean(EventStore.class);
		TransactionTemplate transaction = new TransactionTemplate(
				this.context.getBean(PlatformTransactionManager.class));
		return (event) -> () -> {
			try {
				transaction.executeWithoutResult((status) -> store.append(TENANT, event.account(),
						ExpectedVersion.exact(event.version() - 1), NewEvent.of(event)));
			}
			catch (VersionConflictException ex) {
				// It is there.
			}
		};
	}

	/** Publishes, under the same id each time. */
	Load.Way publishing() {
		EventPublisher publisher = this.context.getBean(EventPublisher.class);
		return (moved) -> {
			Event<Moved> event = Event.builder(TENANT, moved)
				.streamId(moved.account())
				.streamVersion(moved.version())
				.build();
			return () -> publisher.publish("told.{tenant}.moved", event);
		};
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** Switches the SDK on. */
	@Configuration(proxyBeanMethods = false)
	@EnableEventing
	static class Eventing {

	}

}
