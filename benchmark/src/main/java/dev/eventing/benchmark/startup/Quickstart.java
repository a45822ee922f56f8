package dev.eventing.benchmark.startup;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * samples/quickstart. Its event is applied when PostgreSQL commits the transaction of the
 * row.
 */
final class Quickstart implements Application {

	/** Commits wait for the disk, and have a time. */
	static final Map<String, String> POSTGRES_SETTINGS = Map.of("fsync", "on", "synchronous_commit", "on",
			"full_page_writes", "on", "track_commit_timestamp", "on");

	private static final String EVENT = "{\"day\": \"2026-11-23\", \"item\": \"tea\", \"quantity\": 2}";

	private final List<String> arguments;

	private final Connection connection;

	private final JdbcTemplate jdbc;

	private UUID sent = UUID.randomUUID();

	Quickstart(String classPath, NatsServer nats, PostgresServer postgres) throws IOException, InterruptedException {
		String database = postgres.createDatabase();
		this.arguments = List.of("-cp", classPath, "dev.eventing.samples.quickstart.QuickstartApplication",
				"--eventing.nats.servers=" + nats.url(), "--spring.datasource.url=" + database);
		this.jdbc = new JdbcTemplate(postgres.dataSource(database));
		this.connection = Nats.connect(nats.url());
	}

	/** Runs the application once, which creates stream, durable and tables. */
	void create(Jdk jdk) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(jdk.java()));
		command.addAll(this.arguments);
		int status = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start()
			.waitFor();
		if (status != 0) {
			throw new IOException("The first run of '" + name() + "' ended with " + status + ".");
		}
	}

	@Override
	public String name() {
		return "quickstart";
	}

	@Override
	public List<String> arguments() {
		return this.arguments;
	}

	@Override
	public void send() throws IOException {
		this.sent = UUID.randomUUID();
		Headers headers = new Headers().add("ce-specversion", "1.0")
			.add("ce-id", this.sent.toString())
			.add("ce-source", "startup")
			.add("ce-type", "order.shipped")
			.add("ce-tenantid", "acme");
		try {
			this.connection.jetStream()
				.publish(NatsMessage.builder()
					.subject("acme.order.shipped")
					.headers(headers)
					.data(EVENT.getBytes(StandardCharsets.UTF_8))
					.build());
		}
		catch (JetStreamApiException ex) {
			throw new IOException("JetStream refused the event.", ex);
		}
	}

	/**
	 * Waits also for the event that the application publishes itself, so that nothing is
	 * left for the next start.
	 */
	@Override
	public Instant awaitApplied(BufferedReader output) throws IOException, InterruptedException {
		Lines.await(output, "delivery 1");
		while (isBusy()) {
			Thread.sleep(10);
		}
		OffsetDateTime commit = this.jdbc.queryForObject(
				"select pg_xact_commit_timestamp(xmin) from eventing.processed_events where event_id = ?",
				OffsetDateTime.class, this.sent);
		return Objects.requireNonNull(commit).toInstant();
	}

	private boolean isBusy() throws IOException {
		try {
			ConsumerInfo durable = this.connection.jetStreamManagement()
				.getConsumerInfo("ORDERS", "daily-sales-consumer");
			return durable.getNumPending() > 0 || durable.getNumAckPending() > 0;
		}
		catch (JetStreamApiException ex) {
			throw new IOException("The durable cannot be looked up.", ex);
		}
	}

	@Override
	public void close() {
		try {
			this.connection.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
