package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventJsonMapper;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/** An application that declares a mapper for its events gets it everywhere. */
class EventJsonMapperIT {

	private static final OrderPlaced PLACED = new OrderPlaced("4711");

	@AutoClose
	private final World world = World.create();

	private final Orders orders = new Orders();

	private WorldApplication application(Source source) {
		return WorldApplication.of(this.orders).with(ProjectorSettings.builder().source(source).build());
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void writesAndBindsByTheMapperThatTheApplicationDeclares(Source source) {
		writesAndBindsInSnakeCase(source, SnakeCase.class);
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void writesAndBindsByThatOfTheWebIfTheApplicationSaysSo(Source source) {
		writesAndBindsInSnakeCase(source, AsOnTheWeb.class);
	}

	private void writesAndBindsInSnakeCase(Source source, Class<?> configuration) {
		try (AnnotationConfigApplicationContext application = this.world
			.start(application(source).customize((context) -> context.register(configuration)))) {
			application.getBean(EventPublisher.class)
				.publish(this.world.subject(), Event.builder(World.ACME, PLACED).streamId("a").build());
			EventStore store = application.getBean(EventStore.class);
			new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> store.append(World.ACME, this.world.storedStream("a"),
						ExpectedVersion.any(), NewEvent.of(PLACED)));
			await().until(() -> this.orders.placed.size() == 1);
			assertThat(this.orders.placed).containsExactly(PLACED);
			assertThat(this.world.jdbc().queryForList("select payload::text from eventing.events", String.class))
				.containsExactly("{\"order_id\": \"4711\"}");
			assertThat(application.getBean(EventLog.class)
				.find(1)
				.orElseThrow()
				.event()
				.payload()
				.<OrderPlaced>bind(OrderPlaced.class)).isEqualTo(PLACED);
			assertThat(this.world
				.<byte[]>jetStream((management) -> management.getMessage(this.world.stream(), 1).getData())).asString()
				.isEqualTo("{\"order_id\":\"4711\"}");
		}
	}

	@Test
	void refusesTwoOfThem() {
		WorldApplication two = application(Source.JETSTREAM).customize((context) -> {
			context.register(SnakeCase.class);
			context.registerBean("another", EventJsonMapper.class, () -> new EventJsonMapper(EventJson.mapper()));
		});
		assertThatException().isThrownBy(() -> this.world.start(two).close())
			.havingRootCause()
			.isInstanceOf(NoUniqueBeanDefinitionException.class)
			.withMessageContaining("eventJsonMapper");
	}

	@Configuration(proxyBeanMethods = false)
	static class SnakeCase {

		@Bean
		EventJsonMapper eventJsonMapper() {
			return new EventJsonMapper(
					EventJson.mapper().rebuild().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AsOnTheWeb {

		@Bean
		JsonMapper webMapper() {
			return JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
		}

		@Bean
		EventJsonMapper eventJsonMapper(JsonMapper web) {
			return new EventJsonMapper(web);
		}

	}

	record OrderPlaced(String orderId) {
	}

	static class Orders {

		private final List<OrderPlaced> placed = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "orders")
		void on(OrderPlaced event) {
			this.placed.add(event);
		}

	}

}
