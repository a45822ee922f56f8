package dev.eventing.sdk.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.autoconfigure.UsersApplication.UserCreated;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.StreamTails;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.TestServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** A relay whose name is written in another spelling later. */
class SpelledNamesIT {

	private static final int EVENTS = 5;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final String root = this.fixture.name();

	private final String database = this.fixture.emptyDatabase();

	@BeforeEach
	void publishesTheWholeStore() {
		try (ConfigurableApplicationContext application = run(Map.of(), "order-events")) {
			append(application);
			Awaitility.await().untilAsserted(() -> {
				assertThat(stored(application)).isEqualTo(EVENTS);
				assertThat(relay(application).position()).isEqualTo(EVENTS);
			});
		}
	}

	@Test
	void aVariableMakesNoSecondRelay() {
		try (ConfigurableApplicationContext application = run(Map.of("EVENTING_RELAYS_ORDEREVENTS_WINDOW", "600"),
				"order-events")) {
			append(application);
			Awaitility.await().untilAsserted(() -> assertThat(relay(application).position()).isEqualTo(2 * EVENTS));
			assertThat(relay(application).relay()).isEqualTo("order-events");
			assertThat(stored(application)).isEqualTo(2 * EVENTS);
			assertThat(known(application)).containsExactly("order-events");
		}
	}

	@Test
	void anotherSpellingOfAKnownRelayPublishesNothingAndIsDown() {
		try (ConfigurableApplicationContext application = run(Map.of(), "OrderEvents")) {
			Awaitility.await().untilAsserted(() -> {
				assertThat(relay(application).state()).isEqualTo(RelayState.FAILED);
				assertThat(relay(application).detail()).contains("another spelling of 'order-events'")
					.contains("Consider the name 'order-events'");
				assertThat(health(application)).isEqualTo(Status.DOWN);
			});
			assertThat(stored(application)).isEqualTo(EVENTS);
			assertThat(known(application)).containsExactly("order-events");
		}
	}

	/** The short duplicate window lets the stream store what is published twice. */
	private ConfigurableApplicationContext run(Map<String, Object> variables, String relay) {
		return new SpringApplicationBuilder(UsersApplication.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off",
					"spring.flyway.locations=classpath:dev/eventing/sdk/autoconfigure/migration",
					"spring.datasource.username=postgres", "spring.datasource.hikari.maximum-pool-size=5",
					"spring.datasource.url=" + this.database, "root=" + this.root)
			.properties("eventing.nats.servers=" + TestServers.nats().url(), "eventing.schema.mode=migrate",
					"eventing.streams." + this.root + ".subjects=" + this.root + ".>",
					"eventing.streams." + this.root + ".duplicate-window=100ms",
					"eventing.relays." + relay + ".subject=" + this.root + ".{tenant}.{type}")
			.initializers((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)))
			.run();
	}

	private static void append(ConfigurableApplicationContext application) {
		List<NewEvent> events = new ArrayList<>();
		for (int i = 0; i < EVENTS; i++) {
			events.add(NewEvent.of(new UserCreated("Ada")));
		}
		new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> application.getBean(EventStore.class)
				.append(TenantId.of("acme"), "user-" + UUID.randomUUID(), ExpectedVersion.any(), events));
	}

	private long stored(ConfigurableApplicationContext application) {
		return new StreamTails(application.getBean(NatsClient.class)).find(this.root).orElseThrow().lastSequence();
	}

	private static RelayStatus relay(ConfigurableApplicationContext application) {
		List<RelayStatus> all = application.getBean(Relays.class).status();
		assertThat(all).hasSize(1);
		return all.get(0);
	}

	private static List<String> known(ConfigurableApplicationContext application) {
		return application.getBean(JdbcTemplate.class)
			.queryForList("select relay_name from eventing.relays", String.class);
	}

	private static Status health(ConfigurableApplicationContext application) {
		HealthIndicator relays = (HealthIndicator) Objects
			.requireNonNull(application.getBean(HealthContributorRegistry.class).getContributor("eventingRelays"));
		return Objects.requireNonNull(relays.health()).getStatus();
	}

}
