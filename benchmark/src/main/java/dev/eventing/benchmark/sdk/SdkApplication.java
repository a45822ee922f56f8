package dev.eventing.benchmark.sdk;

import java.util.Map;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.sdk.config.EnableEventing;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventJsonMapper;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.Streams;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** An application with the SDK in it, as one without Boot is made. */
final class SdkApplication {

	/** An application that runs has one, and it is warm; so have loops by hand. */
	private static final EventJsonMapper JSON = new EventJsonMapper(EventJson.mapper());

	private SdkApplication() {
	}

	/**
	 * Makes an application that is ready: it runs once its context is started, so that
	 * what it takes to wire it is not measured.
	 * @param properties the handlers' properties
	 * @param beans adds the beans of this application
	 */
	static AnnotationConfigApplicationContext ready(String natsUrl, String jdbcUrl, int poolSize,
			Map<String, Object> properties, Consumer<AnnotationConfigApplicationContext> beans) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(jdbcUrl);
		pool.setMaximumPoolSize(poolSize);
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("benchmark", properties));
		context.registerBean(HikariDataSource.class, () -> pool);
		context.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(pool));
		context.registerBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(pool));
		context.registerBean(NatsOptions.class, () -> NatsOptions.of(natsUrl));
		context.registerBean(EventJsonMapper.class, () -> JSON);
		context.registerBean("lifecycleProcessor", StartOnDemand.class);
		context.register(Eventing.class);
		beans.accept(context);
		context.refresh();
		connect(context);
		return context;
	}

	/** The same with handlers that get events of the event store. */
	static AnnotationConfigApplicationContext ready(ProjectorRound round,
			Consumer<AnnotationConfigApplicationContext> beans) {
		return ready(round.natsUrl(), round.jdbcUrl(), round.poolSize(),
				Map.of("projector", round.projector(), "subject", StoredChanges.SUBJECT), beans);
	}

	/** Loops by hand are connected when their time begins; so is this. */
	private static void connect(AnnotationConfigApplicationContext context) {
		context.getBean(JdbcTemplate.class).execute("select 1");
		context.getBean(Streams.class).declareAll();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableEventing
	static class Eventing {

	}

	/** Starts nothing when the context is refreshed, all when it is started. */
	static final class StartOnDemand extends DefaultLifecycleProcessor {

		@Override
		public void onRefresh() {
			// see start()
		}

	}

}
