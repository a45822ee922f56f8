package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.config.EnableEventing;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.projector.RepeatedFailurePolicy;
import dev.eventing.sdk.schema.SchemaMode;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** What an application of a test is made of. */
final class WorldApplication {

	final Object[] handlers;

	/** Many tests have handlers that refuse all there is. */
	private static final ProjectorSettings DEFAULTS = ProjectorSettings.builder()
		.onRepeatedFailure(RepeatedFailurePolicy.DEAD_LETTER)
		.build();

	ProjectorSettingsSource settings = source(ProjectorSettings.NONE);

	Map<String, String> properties = Map.of();

	String natsUrl = "";

	UnaryOperator<NatsOptions> nats = UnaryOperator.identity();

	/** The world has the tables. */
	SchemaMode schema = SchemaMode.VALIDATE;

	Duration lease = LeaseOptions.DEFAULT_DURATION;

	Duration connectionTimeout = Duration.ofSeconds(1);

	private Duration whileItStarts = World.PATIENT;

	Consumer<AnnotationConfigApplicationContext> customizer = (context) -> {
	};

	private WorldApplication(Object... handlers) {
		this.handlers = handlers;
	}

	static WorldApplication of(Object... handlers) {
		return new WorldApplication(handlers);
	}

	/** Settings of every projector, above its annotation's. */
	WorldApplication with(ProjectorSettings all) {
		this.settings = source(all);
		return this;
	}

	private static ProjectorSettingsSource source(ProjectorSettings all) {
		return new ProjectorSettingsSource() {

			@Override
			public ProjectorSettings defaults() {
				return DEFAULTS;
			}

			@Override
			public ProjectorSettings forProjector(String name) {
				return all;
			}
		};
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

	/** Changes how it talks to NATS. */
	WorldApplication nats(UnaryOperator<NatsOptions> change) {
		this.nats = change;
		return this;
	}

	/** A dead process still owns its projectors for this time. */
	WorldApplication lease(Duration duration) {
		this.lease = duration;
		return this;
	}

	/**
	 * A JVM that has just begun, beside others at work, opens no connection in a second.
	 */
	WorldApplication inItsOwnProcess() {
		return connectionTimeout(World.PATIENT);
	}

	/** How long it waits for a connection of its pool, as soon as it runs. */
	WorldApplication connectionTimeout(Duration timeout) {
		this.connectionTimeout = timeout;
		return this;
	}

	/** It waits no longer than usual for a database that is away when it starts. */
	WorldApplication withoutDatabase() {
		this.whileItStarts = Duration.ZERO;
		return schema(SchemaMode.NONE);
	}

	WorldApplication schema(SchemaMode mode) {
		this.schema = mode;
		return this;
	}

	/** Without a declaration of the world's stream, which is there in another form. */
	WorldApplication withoutStreams() {
		return customize((context) -> Stream.of(context.getBeanDefinitionNames())
			.filter((name) -> name.contains(StreamSpec.class.getSimpleName()) || name.equals("streamSpec"))
			.forEach(context::removeBeanDefinition));
	}

	/** Changes of several calls are made in their order. */
	WorldApplication customize(Consumer<AnnotationConfigApplicationContext> change) {
		this.customizer = this.customizer.andThen(change);
		return this;
	}

	/** A change of the pool, before its first connection. */
	static Consumer<AnnotationConfigApplicationContext> pool(Consumer<HikariDataSource> change) {
		return (context) -> context.getBeanFactory().addBeanPostProcessor(new BeanPostProcessor() {

			@Override
			public Object postProcessBeforeInitialization(Object bean, String name) {
				if (bean instanceof HikariDataSource pool) {
					change.accept(pool);
				}
				return bean;
			}

		});
	}

	String natsUrl(String other) {
		return this.natsUrl.isEmpty() ? other : this.natsUrl;
	}

	/** Starts the application on these servers; its subjects begin with this root. */
	AnnotationConfigApplicationContext start(String nats, String jdbcUrl, String root) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		Properties own = new Properties();
		own.setProperty("root", root);
		own.putAll(this.properties);
		context.getEnvironment().getPropertySources().addFirst(new PropertiesPropertySource("test", own));
		StartingPool pool = World.connecting(new StartingPool(this.whileItStarts), jdbcUrl, this.connectionTimeout);
		context.registerBean(HikariDataSource.class, () -> pool);
		context.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(pool));
		context.registerBean("platformTransactionManager", PlatformTransactionManager.class,
				() -> new JdbcTransactionManager(pool));
		context.registerBean(NatsOptions.class, () -> this.nats.apply(NatsOptions.of(natsUrl(nats))));
		context.registerBean(SchemaMode.class, () -> this.schema);
		context.registerBean(LeaseOptions.class, () -> LeaseOptions.of(this.lease));
		context.registerBean(EventSubjects.class, () -> EventSubjects.of("{category}.{tenant}.deposited"));
		context.registerBean(StreamSpec.class,
				() -> new StreamSpec(root, List.of(root + ".>"), 1, Duration.ofMillis(100)));
		context.registerBean(ProjectorSettingsSource.class, () -> this.settings);
		context.register(Eventing.class);
		for (Object handler : this.handlers) {
			register(context, handler);
		}
		this.customizer.accept(context);
		context.refresh();
		pool.started();
		return context;
	}

	private static <T> void register(AnnotationConfigApplicationContext context, T handler) {
		@SuppressWarnings("unchecked")
		Class<T> type = (Class<T>) handler.getClass();
		context.registerBean(type, () -> handler);
	}

	/** Switches the SDK on. */
	@Configuration(proxyBeanMethods = false)
	@EnableEventing
	static class Eventing {

	}

}
