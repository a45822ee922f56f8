package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.Nats;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Backlogs that are many times what a heap of 128 MiB holds are applied, each event once.
 */
@Tag("bulk")
class BacklogIT {

	private static final long HEAP = 128L << 20;

	private static final int UNCONFIRMED = 2000;

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Adding.class).heap("128m");

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("create table added (events bigint, total bigint)");
	}

	@Test
	void appliesAMillionEventsWithAHeapOf128MiB() throws Exception {
		apply(1_000_000, 100);
	}

	@Test
	void appliesTwoThousandEventsOf200KilobytesWithAHeapOf128MiB() throws Exception {
		apply(2000, 200_000);
	}

	private void apply(int events, int padding) throws Exception {
		long began = System.nanoTime();
		publish(events, padding);
		long published = System.nanoTime();
		this.projector.start(this.world);
		await().atMost(Duration.ofMinutes(6))
			.pollInterval(Duration.ofMillis(250))
			.failFast("the process has ended", () -> !this.projector.isAlive())
			.until(() -> this.world.count("select count(*) from eventing.processed_events") == events);
		System.out.printf("%d events: published in %d ms, applied in %d ms%n", events,
				TimeUnit.NANOSECONDS.toMillis(published - began),
				TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - published));
		assertThat(this.world.count("select sum(events) from added")).isEqualTo(events);
		assertThat(this.world.count("select sum(total) from added")).isEqualTo(events * (events + 1L) / 2);
		await().until(() -> this.world.unsettled("adding") == 0);
	}

	private void publish(int events, int padding) throws Exception {
		String filler = "x".repeat(padding);
		Deque<CompletableFuture<PublishAck>> unconfirmed = new ArrayDeque<>();
		Connection connection = Nats.connect(this.world.natsUrl());
		try {
			JetStream stream = connection.jetStream();
			for (int number = 1; number <= events; number++) {
				unconfirmed.add(stream.publishAsync(message(number, filler)));
				if (unconfirmed.size() >= Math.max(10, UNCONFIRMED / (1 + padding / 100))) {
					unconfirmed.remove().join();
				}
			}
			unconfirmed.forEach(CompletableFuture::join);
		}
		finally {
			connection.close();
		}
	}

	private NatsMessage message(int number, String filler) {
		Headers headers = new Headers().add("ce-specversion", "1.0")
			.add("ce-id", new UUID(0x0190_0000_0000_7000L, 0x8000_0000_0000_0000L | number).toString())
			.add("ce-type", "Padded")
			.add("ce-source", "/test")
			.add("ce-subject", "account-" + number % 1000)
			.add("ce-tenantid", "acme");
		String body = "{\"number\":" + number + ",\"filler\":\"" + filler + "\"}";
		return NatsMessage.builder()
			.subject(this.world.root() + ".acme.deposited")
			.headers(headers)
			.data(body.getBytes(StandardCharsets.UTF_8))
			.build();
	}

	/**
	 * An event with ballast.
	 *
	 * @param number from 1
	 * @param filler ballast
	 */
	record Padded(long number, String filler) {
	}

	/** Adds up a batch with one statement. */
	static class Adding {

		@Autowired
		private JdbcTemplate jdbc;

		Adding() {
			long heap = Runtime.getRuntime().maxMemory();
			if (heap > HEAP) {
				throw new IllegalStateException("This process has a heap of " + heap + " bytes, not of " + HEAP + ".");
			}
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "adding")
		public void on(List<Event<Padded>> events) {
			this.jdbc.update("insert into added values (?, ?)", events.size(),
					events.stream().mapToLong((event) -> event.payload().number()).sum());
		}

	}

}
