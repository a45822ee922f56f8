package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Advisories of the server about events that it will not deliver again, because their
 * deliveries are used up or a consumer terminated them. The server publishes an advisory
 * once, and only to current subscribers. So a small stream that all applications share,
 * {@value #STREAM}, keeps advisories for a week. Thread-safe.
 */
public final class Advisories {

	/** The stream that keeps advisories. */
	public static final String STREAM = "EVENTING_ADVISORIES";

	private static final Logger logger = LoggerFactory.getLogger(Advisories.class);

	private static final String SUBJECT = "$JS.EVENT.ADVISORY.CONSUMER.";

	private static final String MAX_DELIVERIES = SUBJECT + "MAX_DELIVERIES.";

	private static final String TERMINATED = SUBJECT + "MSG_TERMINATED.";

	private static final Duration KEPT = Duration.ofDays(7);

	private static final long LARGEST = 64 << 20;

	private static final Duration ACK_WAIT = Duration.ofSeconds(30);

	private static final int UNSETTLED = 100;

	private final NatsClient client;

	private final Durables durables;

	private final StoredMessages messages;

	public Advisories(NatsClient client) {
		this.client = client;
		this.durables = new Durables(client);
		this.messages = new StoredMessages(client);
	}

	/**
	 * Ensures that advisories about a durable consumer are kept from now on, and
	 * describes the durable consumer that delivers them.
	 * @param projector the projector, for error texts and logs
	 * @param stream the stream of its durable consumer
	 * @param durable the durable's name
	 * @param schema the identity of the projector's database
	 * @return the durable consumer from which to pull advisories
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if the server rejects the request
	 */
	public DurableSpec about(ProjectorId projector, String stream, String durable, String schema) {
		declareStream();
		String consumer = stream + "." + durable;
		DurableSpec spec = new DurableSpec(projector, STREAM, stream + "-" + durable,
				Set.of(MAX_DELIVERIES + consumer, TERMINATED + consumer), ACK_WAIT, UNSETTLED, true, schema);
		this.durables.reconcile(spec, null);
		return spec;
	}

	private void declareStream() {
		JetStreamManagement management = this.client.management();
		JetStreamErrors.answer("Stream '" + STREAM + "' cannot be declared", () -> {
			if (!management.getStreamNames(MAX_DELIVERIES + ">").contains(STREAM)) {
				management.addStream(StreamConfiguration.builder()
					.name(STREAM)
					.description("What the server will not deliver again; kept by eventing-sdk")
					.subjects(MAX_DELIVERIES + ">", TERMINATED + ">")
					.storageType(StorageType.File)
					.maxAge(KEPT)
					.maxBytes(LARGEST)
					.discardPolicy(DiscardPolicy.Old)
					.build());
				logger.info("Stream '{}' is created.", STREAM);
			}
			return STREAM;
		});
	}

	/** The content of an advisory, or null if it cannot be read. */
	public static @Nullable Advisory read(Delivery delivery) {
		try {
			JsonValue said = JsonParser.parse(new String(delivery.raw().payload(), StandardCharsets.UTF_8));
			Long sequence = JsonValueUtils.readLong(said, "stream_seq");
			if (sequence == null) {
				return null;
			}
			boolean terminated = delivery.raw().subject().startsWith(TERMINATED);
			return new Advisory(terminated, sequence, JsonValueUtils.readLong(said, "deliveries", 0),
					JsonValueUtils.readString(said, "reason"), JsonValueUtils.readString(said, "domain"));
		}
		catch (JsonParseException ex) {
			return null;
		}
	}

	/**
	 * Whether an advisory is about a durable of the same name in another domain than the
	 * chosen one. Advisories arrive from all domains.
	 */
	public boolean isOfAnotherDomain(Advisory advisory) {
		String domain = this.client.jetStreamDomain();
		return domain != null && advisory.domain() != null && !domain.equals(advisory.domain());
	}

	/**
	 * A message that a stream still holds.
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if the server rejects the request
	 */
	public Optional<StoredMessage> message(String stream, long sequence) {
		return JetStreamErrors.answer("Message " + sequence + " of stream '" + stream + "' cannot be read", () -> {
			StoredMessages.Stored found = this.messages.find(stream, sequence);
			return (found == null) ? Optional.empty()
					: Optional.of(new StoredMessage(found.raw(), new EventPlace(stream, sequence, found.storedAt())));
		});
	}

	/**
	 * The server will not deliver an event again.
	 *
	 * @param terminated true if a consumer terminated it; false if its deliveries are
	 * used up
	 * @param sequence the event's sequence in its stream
	 * @param deliveries how often it was delivered
	 * @param reason the reason given with the termination, or null
	 * @param domain the domain of JetStream, or null
	 */
	public record Advisory(boolean terminated, long sequence, long deliveries, @Nullable String reason,
			@Nullable String domain) {
	}

	/**
	 * A message of a stream.
	 *
	 * @param raw subject, headers and body
	 * @param place where the stream has it
	 */
	public record StoredMessage(RawEvent raw, EventPlace place) {
	}

}
