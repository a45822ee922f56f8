package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.guarantees.Balances.Balance;
import dev.eventing.sdk.guarantees.BrowserClient.Stream;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.liveview.frame.MergePatch;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.server.NatsServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G15: the process that appends events, the owner of the view and NATS are killed in
 * turn, while 50 subscribers, half of them over HTTP, follow 200 keys of two tenants.
 * Events come all the time. Each subscriber ends with exactly the stored states.
 */
class G15KillsIT {

	/** Of each kind. */
	private static final int SUBSCRIBERS = 25;

	/** Each follows as many keys of one tenant. */
	private static final int KEYS_OF_A_SUBSCRIBER = 9;

	private static final Duration CONVERGES = Duration.ofSeconds(5);

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer nats = this.fixture.opened(NatsServer.start());

	private final World world = this.fixture.opened(World.on(this.nats));

	@RegisterExtension
	final ProjectorProcess owner = ProjectorProcess.of(StoredBalances.class);

	@RegisterExtension
	final ProjectorProcess publisher = ProjectorProcess.running(KeptDeposits.class);

	private final Random random = new Random(16);

	@Test
	@Tag("crash")
	void subscribersEndWithTheStoredStatesAfterNineKills() {
		subscribersEndWithTheStoredStates(9);
	}

	@Test
	@Tag("bulk")
	void subscribersEndWithTheStoredStatesAfterTwentyKills() {
		subscribersEndWithTheStoredStates(20);
	}

	private void subscribersEndWithTheStoredStates(int kills) {
		this.owner.start(this.world);
		this.publisher.start(this.world);
		try (ConfigurableApplicationContext node = node()) {
			LiveViews views = node.getBean(LiveViews.class);
			List<Following> all = new ArrayList<>();
			for (int each = 0; each < SUBSCRIBERS; each++) {
				all.add(new Watching(views, each));
				all.add(new Browsing(node, each));
			}
			this.owner.awaitReady();
			this.publisher.awaitReady();
			for (int kill = 0; kill < kills; kill++) {
				awaitProgress(all);
				kill(kill);
			}
			awaitProgress(all);
			this.publisher.kill();
			await().until(() -> isFolded(views));
			await().atMost(CONVERGES).until(() -> all.stream().allMatch((each) -> each.isCurrent(views)));
			all.forEach(Following::close);
		}
	}

	/** Some subscriber of either kind goes on, and the moment of the kill is any. */
	private void awaitProgress(List<Following> all) {
		for (Following each : List.of(all.get(this.random.nextInt(SUBSCRIBERS) * 2),
				all.get(this.random.nextInt(SUBSCRIBERS) * 2 + 1))) {
			int changes = each.changes();
			await().pollInterval(10, TimeUnit.MILLISECONDS).until(() -> each.changes() > changes);
		}
		await().pollDelay(Duration.ofMillis(this.random.nextInt(500))).until(() -> true);
	}

	private void kill(int number) {
		switch (number % 3) {
			case 0 -> {
				assertThat(this.publisher.isAlive()).as("the publisher").isTrue();
				this.publisher.kill();
				this.publisher.start(this.world);
				this.publisher.awaitReady();
			}
			case 1 -> {
				this.nats.kill();
				this.nats.restart();
			}
			default -> {
				this.owner.kill();
				this.owner.start(this.world);
				this.owner.awaitReady();
			}
		}
	}

	/** Whether the view has folded all events that are stored. */
	private boolean isFolded(LiveViews views) {
		Map<List<String>, Long> stored = KeptDeposits.versions(this.world.jdbc());
		return KeptDeposits.TENANTS.stream()
			.allMatch((tenant) -> states(views, tenant, accounts()).values()
				.stream()
				.allMatch((state) -> state.version().version() == stored
					.getOrDefault(List.of(tenant.value(), this.world.storedStream(state.key())), 0L)));
	}

	private static List<String> accounts() {
		return IntStream.range(0, KeptDeposits.ACCOUNTS).mapToObj(KeptDeposits::account).toList();
	}

	private static Map<String, LiveState> states(LiveViews views, TenantId tenant, List<String> keys) {
		return views.read(tenant, StoredBalances.NAME, keys).states();
	}

	/**
	 * The keys that a subscriber follows; all subscribers of a kind follow all of them.
	 */
	private static List<String> keys(int subscriber) {
		int first = subscriber / 2 * KEYS_OF_A_SUBSCRIBER;
		return IntStream.range(first, first + KEYS_OF_A_SUBSCRIBER)
			.mapToObj((number) -> KeptDeposits.account(number % KeptDeposits.ACCOUNTS))
			.toList();
	}

	private static TenantId tenant(int subscriber) {
		return KeptDeposits.TENANTS.get(subscriber % 2);
	}

	private ConfigurableApplicationContext node() {
		List<String> properties = List.of("spring.main.banner-mode=off", "server.address=127.0.0.1", "server.port=0",
				"spring.datasource.url=" + this.world.jdbcUrl(), "spring.datasource.username=postgres",
				"spring.datasource.hikari.maximum-pool-size=8", "spring.jpa.open-in-view=false",
				"spring.flyway.enabled=false", "eventing.nats.servers=" + this.nats.url(),
				"eventing.schema.mode=validate", "eventing.store.subject={category}.{tenant}.deposited",
				"spring.data.jpa.repositories.enabled=false",
				"spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration");
		return new SpringApplicationBuilder(Node.class, BrowserApplication.Users.class, BrowserApplication.Access.class)
			.web(WebApplicationType.SERVLET)
			.properties(properties.toArray(String[]::new))
			.run();
	}

	/** A subscriber. */
	private interface Following extends AutoCloseable {

		/** How many changes it has got. */
		int changes();

		/** Whether it has exactly the stored states. */
		boolean isCurrent(LiveViews views);

		/** Looks at all that it got, and ends. */
		@Override
		void close();

	}

	/** One with the Java client. */
	private static final class Watching implements Following {

		private final TenantId tenant;

		private final List<Watcher> watchers;

		Watching(LiveViews views, int number) {
			this.tenant = tenant(number);
			this.watchers = keys(number).stream().map((key) -> Watcher.of(views, this.tenant, key)).toList();
		}

		@Override
		public int changes() {
			return this.watchers.stream().mapToInt((each) -> each.states.size()).sum();
		}

		@Override
		public boolean isCurrent(LiveViews views) {
			return this.watchers.stream().allMatch((each) -> each.isLive() && each.isCurrent(views));
		}

		@Override
		public void close() {
			this.watchers.forEach((each) -> {
				assertThat(each.states).extracting((state) -> state.version().version()).isSorted();
				assertThat(each.states).allSatisfy((state) -> requireOwn(this.tenant, state.version().version(),
						state.exists() ? state.as(Balance.class).total() : 0));
				each.close();
			});
		}

	}

	/** The amounts of another tenant have another sign. */
	private static void requireOwn(TenantId tenant, long version, long total) {
		assertThat(total).as("of tenant " + tenant).isEqualTo(KeptDeposits.amount(tenant, version * (version + 1) / 2));
	}

	/** A client over HTTP, which folds as one in another language does. */
	private static final class Browsing implements Following {

		private final TenantId tenant;

		private final List<String> keys;

		private final Stream stream;

		private final Map<String, JsonNode> states = new HashMap<>();

		private final Map<String, String> versions = new HashMap<>();

		private int folded;

		Browsing(ConfigurableApplicationContext node, int number) {
			this.tenant = tenant(number);
			this.keys = keys(number);
			String port = Objects.requireNonNull(node.getEnvironment().getProperty("local.server.port"));
			this.stream = new BrowserClient(Integer.parseInt(port), this.tenant.equals(World.ACME) ? "ada" : "bob")
				.open(StoredBalances.NAME, this.keys.toArray(String[]::new));
		}

		@Override
		public int changes() {
			return this.stream.events.size();
		}

		@Override
		public boolean isCurrent(LiveViews views) {
			assertThat(this.stream.ended).isFalse();
			fold();
			Map<String, LiveState> stored = states(views, this.tenant, this.keys);
			return this.keys.stream()
				.allMatch((key) -> Objects.equals(stored.get(key).version().toString(), this.versions.get(key))
						&& Objects.equals(stored.get(key).tree(), this.states.get(key)));
		}

		private void fold() {
			for (; this.folded < this.stream.events.size(); this.folded++) {
				BrowserClient.Event event = this.stream.events.get(this.folded);
				if (!event.data().isEmpty() && !event.name().equals("live-status")) {
					fold(event.json());
				}
			}
		}

		private void fold(JsonNode frame) {
			String key = frame.path("key").asString();
			String before = this.versions.put(key, frame.path("version").asString());
			if (frame.has("state")) {
				this.states.put(key, frame.get("state"));
			}
			else {
				assertThat(frame.path("from").asString()).as("no gap").isEqualTo(before);
				this.states.put(key, MergePatch.apply(this.states.get(key), frame.get("patch")));
			}
			JsonNode state = this.states.get(key);
			requireOwn(this.tenant, state.path("version").asLong(), state.path("total").asLong());
		}

		@Override
		public void close() {
			fold();
			this.stream.close();
		}

	}

	/** Only follows. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Node {

	}

	/** The same view, of the event store. */
	@LiveView(value = Balances.NAME, subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
	static class StoredBalances extends Balances {

	}

}
