package dev.eventing.benchmark.peers.micronaut;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.nats.jetstream.PullConsumerRegistry;
import io.micronaut.serde.ObjectMapper;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.eventing.benchmark.contender.AccountChanged;

/**
 * A pull consumer as the guide shows it, on its own thread: fetch, apply, acknowledge;
 * here all that was fetched in one transaction.
 */
@Context
@Requires(property = MicronautApplication.CONSUMER, value = "pull")
class AccountsPuller {

	private static final Logger log = LoggerFactory.getLogger(AccountsPuller.class);

	private static final int FETCH = 500;

	private static final Duration WAIT = Duration.ofSeconds(1);

	private final JetStreamSubscription subscription;

	private final ObjectMapper json;

	private final AccountsService accounts;

	private final StartSignal start;

	private final Thread thread = new Thread(this::run, "puller");

	private volatile boolean stopped;

	AccountsPuller(PullConsumerRegistry consumers, ObjectMapper json, AccountsService accounts, StartSignal start,
			@Property(name = MicronautApplication.STREAM) String stream,
			@Property(name = MicronautApplication.SUBJECT) String subject,
			@Property(name = MicronautApplication.PROJECTOR) String durable) throws IOException, JetStreamApiException {
		this.json = json;
		this.accounts = accounts;
		this.start = start;
		this.subscription = consumers.newPullConsumer(subject,
				PullSubscribeOptions.builder().stream(stream).durable(durable).build());
	}

	@PostConstruct
	void start() {
		this.thread.start();
	}

	@PreDestroy
	void stop() throws InterruptedException {
		this.stopped = true;
		this.start.give();
		this.thread.join();
	}

	private void run() {
		try {
			this.start.await();
			while (!this.stopped) {
				apply(this.subscription.fetch(FETCH, WAIT));
			}
		}
		catch (InterruptedException | IOException | SQLException ex) {
			log.error("The consumer ended", ex);
		}
	}

	private void apply(List<Message> messages) throws IOException, SQLException {
		if (messages.isEmpty()) {
			return;
		}
		List<Delivery> deliveries = new ArrayList<>(messages.size());
		for (Message message : messages) {
			deliveries.add(new Delivery(UUID.fromString(header(message, "ce-id")), header(message, "ce-tenantid"),
					Objects.requireNonNull(this.json.readValue(message.getData(), AccountChanged.class))));
		}
		this.accounts.applyAll(deliveries);
		messages.forEach(Message::ack);
	}

	private static String header(Message message, String name) {
		return message.getHeaders().getFirst(name);
	}

}
