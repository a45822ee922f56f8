package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guarantees.Balances.Balance;
import dev.eventing.sdk.guarantees.BrowserClient.Stream;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.liveview.frame.MergePatch;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.TestServers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * From an append to a browser, over all that lies between: projector, frames, NATS, the
 * subscription of the node, and HTTP.
 */
class G15BrowserConvergesIT {

	private static final TenantId ACME = TenantId.of("acme");

	private static final TenantId GLOBEX = TenantId.of("globex");

	@Test
	void joinsChangesOfTheOwnTenantAndResumesOnAnotherNode() {
		String database = TestServers.postgres().createDatabase();
		try (ConfigurableApplicationContext one = node(database); ConfigurableApplicationContext two = node(database)) {
			append(one, ACME, 1, 3);
			append(one, GLOBEX, 1, 1);
			String id;
			JsonNode state;
			try (Stream stream = client(one).open(Balances.NAME, "a")) {
				stream.awaitId("1.3");
				append(two, ACME, 4, 40);
				append(two, GLOBEX, 2, 9);
				stream.awaitId("1.40");
				state = fold(null, stream);
				assertThat(state).isEqualTo(stored(one, ACME).tree());
				assertThat(stream.events.stream().filter((event) -> event.data().contains("\"patch\""))).isNotEmpty();
				id = stream.lastId();
			}
			append(one, ACME, 41, 45);
			try (Stream stream = client(two).resume(id, Balances.NAME, "a")) {
				stream.awaitId("1.45");
				append(one, ACME, 46, 50);
				stream.awaitId("1.50");
				assertThat(fold(state, stream)).isEqualTo(stored(two, ACME).tree());
				assertThat(stored(two, ACME).as(Balance.class)).isEqualTo(Balance.upTo(50));
				await().until(() -> stream.events.stream().anyMatch((event) -> event.data().contains("\"live\"")));
			}
			String body = client(two).get("state" + BrowserClient.query(Balances.NAME, "a")).body();
			assertThat(JsonMapper.shared().readTree(body).path("state")).isEqualTo(stored(one, ACME).tree());
		}
	}

	/** Folds as a client in another language does. */
	private static @Nullable JsonNode fold(@Nullable JsonNode before, Stream stream) {
		JsonNode state = before;
		String version = null;
		for (BrowserClient.Event event : stream.events) {
			if (event.data().isEmpty() || event.name().equals("live-status")) {
				continue;
			}
			JsonNode frame = event.json();
			if (frame.has("state")) {
				state = frame.get("state");
			}
			else {
				if (version != null) {
					assertThat(frame.path("from").asString()).isEqualTo(version);
				}
				state = MergePatch.apply(state, frame.get("patch"));
			}
			version = frame.path("version").asString();
		}
		return state;
	}

	private static LiveState stored(ConfigurableApplicationContext node, TenantId tenant) {
		return node.getBean(LiveViews.class).readRequired(tenant, Balances.NAME, "a");
	}

	private static void append(ConfigurableApplicationContext node, TenantId tenant, long from, long to) {
		TransactionTemplate transaction = new TransactionTemplate(node.getBean(PlatformTransactionManager.class));
		for (long version = from; version <= to; version++) {
			long next = version;
			transaction.executeWithoutResult((status) -> node.getBean(EventStore.class)
				.append(tenant, "browser-a", ExpectedVersion.exact(next - 1),
						NewEvent.of(new Deposited("a", next, next))));
		}
	}

	private static BrowserClient client(ConfigurableApplicationContext node) {
		String port = Objects.requireNonNull(node.getEnvironment().getProperty("local.server.port"));
		return new BrowserClient(Integer.parseInt(port), "ada");
	}

	private static ConfigurableApplicationContext node(String database) {
		List<String> properties = List.of("spring.main.banner-mode=off", "server.address=127.0.0.1", "server.port=0",
				"spring.datasource.url=" + database, "spring.datasource.username=postgres",
				"spring.datasource.hikari.maximum-pool-size=8", "spring.jpa.open-in-view=false",
				"spring.flyway.enabled=false", "eventing.nats.servers=" + TestServers.nats().url(),
				"eventing.schema.mode=migrate", "eventing.store.subject={category}.{tenant}.deposited", "root=browser",
				"eventing.projectors.balances.source=event-store", "spring.data.jpa.repositories.enabled=false",
				"spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration");
		return new SpringApplicationBuilder(Node.class, BrowserApplication.Users.class, BrowserApplication.Access.class)
			.web(WebApplicationType.SERVLET)
			.properties(properties.toArray(String[]::new))
			.run();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Node {

		@Bean
		Balances balances() {
			return new Balances();
		}

	}

}
