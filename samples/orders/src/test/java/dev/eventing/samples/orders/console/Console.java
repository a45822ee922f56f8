package dev.eventing.samples.orders.console;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.eventing.samples.orders.OrdersApplication;
import dev.eventing.samples.orders.demo.Demo;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.TestServers;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The sample with its console, on a free port, and letters of projectors it does not
 * have. Each console has a separate database, and therefore a separate NATS server: a
 * durable belongs to one database.
 */
final class Console implements AutoCloseable {

	/** A projector no application has. */
	static final String BILLING = "billing";

	/** Another one. */
	static final String MAILING = "mailing";

	private static final String PASSWORD = "a password for tests";

	private final NatsServer nats = NatsServer.start();

	private final ConfigurableApplicationContext context;

	final JdbcTemplate jdbc;

	Console(Class<?>... more) {
		Class<?>[] sources = Stream.concat(Stream.of(OrdersApplication.class), Stream.of(more))
			.toArray(Class<?>[]::new);
		this.context = new SpringApplicationBuilder(sources).profiles("console")
			.run("--orders.count=20", "--server.port=0", "--spring.security.user.password=" + PASSWORD,
					"--eventing.nats.servers=" + this.nats.url(),
					"--spring.datasource.url=" + TestServers.postgres().createDatabase());
		this.jdbc = this.context.getBean(JdbcTemplate.class);
	}

	/** Lets the sample do its work, of which a letter is left. */
	Console afterTheRun() throws InterruptedException {
		this.context.getBean(Demo.class).run();
		return this;
	}

	String url() {
		return "http://127.0.0.1:" + this.context.getEnvironment().getProperty("local.server.port")
				+ "/eventing/console/";
	}

	/** A browser in which an operator has logged in. */
	Browser logIn() {
		Browser browser = Browser.start();
		browser.open(url());
		browser.type("#username", "operator");
		browser.type("#password", PASSWORD);
		browser.click("button[type=submit]");
		browser.await("body[data-ready]");
		return browser;
	}

	/** Without what earlier tests put there. */
	void clear() {
		this.jdbc.update("delete from eventing.dead_letters where projector_name in (?, ?)", BILLING, MAILING);
	}

	UUID letter(String projector, String tenant, String key, String error) {
		return letter(projector, tenant, key, error, "{\"invoice\":\"" + key + "\",\"amount\":1200.50,\"paid\":false}");
	}

	UUID letter(String projector, String tenant, String key, String error, String payload) {
		UUID letterId = UUID.randomUUID();
		this.jdbc.update("""
				insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, event_type,
				       ordering_key, parking_key, subject, headers, payload, stream, stream_sequence, published_at,
				       reason, error_class, error_message, stack_trace, attempts, first_failed_at, forwarded_at)
				values (?, ?, ?, ?, 'invoice.issued', ?, ?, 'billing.invoices.issued',
				       jsonb_build_object('ce-type', array['invoice.issued'], 'X-Note', array['<i>note</i>']), ?,
				       'BILLING', 17, now() - interval '3 minutes', 'ATTEMPTS_EXHAUSTED', ?, ?, ?, 3,
				       now() - interval '2 minutes', now())
				""", letterId, projector, tenant, UUID.randomUUID(), key, tenant + "/" + key,
				payload.getBytes(StandardCharsets.UTF_8), "com.example.billing." + error,
				"Account '" + key + "' is closed", "com.example.billing." + error + ": Account '" + key
						+ "' is closed\n\tat com.example.billing.Invoices.on(Invoices.java:42)");
		return letterId;
	}

	/** As if letters had come one after the other, faster and faster. */
	void spreadOverTheDay() {
		this.jdbc.update("""
				update eventing.dead_letters
				   set dead_at = dead_at - earlier, first_failed_at = first_failed_at - earlier,
				       published_at = published_at - earlier, forwarded_at = forwarded_at - earlier
				  from (select letter_id, ((select max(letter_number) from eventing.dead_letters) - letter_number) ^ 2
				               * interval '2 minutes' as earlier from eventing.dead_letters) as age
				 where age.letter_id = dead_letters.letter_id and projector_name in (?, ?)
				""", BILLING, MAILING);
	}

	String status(UUID letterId) {
		return String.valueOf(this.jdbc.queryForObject("select status from eventing.dead_letters where letter_id = ?",
				String.class, letterId));
	}

	/** Who did what and why, oldest first. */
	List<String> audit(UUID letterId) {
		return this.jdbc.queryForList("""
				select concat_ws(' ', action, 'by', actor, detail) from eventing.dead_letter_audit
				 where letter_id = ? order by audit_id
				""", String.class, letterId);
	}

	@Override
	public void close() {
		this.context.close();
		this.nats.close();
	}

}
