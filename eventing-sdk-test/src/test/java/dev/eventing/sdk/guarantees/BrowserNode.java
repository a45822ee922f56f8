package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.liveview.frame.FrameForm.Beat;
import dev.eventing.sdk.nats.Broadcasts;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A node with a web server, whose live view is fed from its event store. Users are those
 * of {@link BrowserApplication}.
 */
final class BrowserNode implements AutoCloseable {

	/** The account whose state pages follow. */
	static final String KEY = "a";

	private final ConfigurableApplicationContext context;

	final int port;

	private BrowserNode(ConfigurableApplicationContext context) {
		this.context = context;
		this.port = Integer.parseInt(Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port")));
	}

	/**
	 * Starts a node.
	 * @param database nodes of one database are one application
	 * @param nats the URL of the NATS server, with the user if it needs one
	 */
	static BrowserNode start(String database, String nats) {
		List<String> properties = List.of("spring.main.banner-mode=off", "server.address=127.0.0.1", "server.port=0",
				"spring.datasource.url=" + database, "spring.datasource.username=postgres",
				"spring.datasource.hikari.maximum-pool-size=8", "spring.jpa.open-in-view=false",
				"spring.flyway.enabled=false", "eventing.nats.servers=" + nats, "eventing.schema.mode=migrate",
				"eventing.store.subject={category}.{tenant}.deposited", "root=browser",
				"eventing.projectors.balances.source=event-store", "spring.data.jpa.repositories.enabled=false",
				"spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration");
		return new BrowserNode(new SpringApplicationBuilder(Application.class, BrowserApplication.Users.class,
				BrowserApplication.Access.class)
			.web(WebApplicationType.SERVLET)
			.properties(properties.toArray(String[]::new))
			.run());
	}

	/** Appends events of the account, a transaction each. */
	void append(TenantId tenant, long from, long to) {
		TransactionTemplate transaction = new TransactionTemplate(
				this.context.getBean(PlatformTransactionManager.class));
		for (long version = from; version <= to; version++) {
			long next = version;
			transaction.executeWithoutResult((status) -> this.context.getBean(EventStore.class)
				.append(tenant, "browser-" + KEY, ExpectedVersion.exact(next - 1),
						NewEvent.of(new Deposited(KEY, next, next))));
		}
	}

	/** The state of the account as it is stored. */
	LiveState stored(TenantId tenant) {
		return views().readRequired(tenant, Balances.NAME, KEY);
	}

	/** Has pages hear another owner of the view, once. */
	void beatAsAnotherOwner() {
		new Broadcasts(this.context.getBean(NatsClient.class)).publish(new Beat(1, "another").message(Balances.NAME));
	}

	/** The live views of the node. */
	LiveViews views() {
		return this.context.getBean(LiveViews.class);
	}

	/** A client that is logged in as Ada. */
	BrowserClient client() {
		return new BrowserClient(this.port, "ada");
	}

	@Override
	public void close() {
		this.context.close();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Balances balances() {
			return new Balances();
		}

	}

}
