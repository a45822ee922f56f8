package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.nats.DurableState.Changed;
import dev.eventing.sdk.nats.DurableState.StreamState;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures durable consumers as projectors require: creates missing ones, updates
 * properties that may change, and rejects differences that an operator must resolve. The
 * server's limit of deliveries is off, because only attempts of handlers count.
 * Thread-safe.
 */
public final class Durables {

	private static final Logger logger = LoggerFactory.getLogger(Durables.class);

	private final NatsClient client;

	private final StoredMessages messages;

	private final Namesakes namesakes;

	private final DurableReset reset;

	private final InactivityLimit inactivity = new InactivityLimit();

	public Durables(NatsClient client) {
		this.client = client;
		this.messages = new StoredMessages(client);
		this.namesakes = new Namesakes(client);
		this.reset = new DurableReset(client);
	}

	/**
	 * The state of the durable, or null if there is none.
	 * @throws JetStreamConfigurationException if it belongs to another database
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public @Nullable DurableState find(DurableSpec spec) {
		return ask(spec, "looked up", () -> {
			ConsumerInfo info = info(this.client.management(), spec);
			if (info != null) {
				DurableConfiguration.refuseForeign(spec, info.getConsumerConfiguration());
			}
			return (info != null) ? Optional.of(state(spec, info)) : Optional.<DurableState>empty();
		}).orElse(null);
	}

	/**
	 * Ensures that the durable exists and has the required properties.
	 * @param saved the projector's saved position, or null. A new durable starts after
	 * it, or with the first event if the stream was recreated.
	 * @return the state of the durable, with what others had changed before
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if the existing durable belongs to another
	 * database; one without a database is claimed for this one
	 * @throws JetStreamConfigurationException if the existing durable differs in a
	 * property that cannot be changed, or another JetStream domain has a durable of the
	 * same name
	 * @throws OverlappingFiltersException if the server refuses filters that overlap, and
	 * the stream does not keep what is settled
	 */
	public DurableState reconcile(DurableSpec spec, @Nullable StreamFloor saved) {
		JetStreamManagement management = this.client.management();
		return ask(spec, "reconciled",
				() -> DurableFilters.choose(management, spec, (filtered) -> reconcile(management, filtered, saved)));
	}

	private DurableState reconcile(JetStreamManagement management, DurableSpec spec, @Nullable StreamFloor saved)
			throws IOException, JetStreamApiException {
		ConsumerInfo existing = info(management, spec);
		Changed before = (existing != null) ? DurableConfiguration.changed(spec, existing, true) : Changed.NOTHING;
		if (existing == null) {
			existing = create(management, spec, saved);
		}
		else {
			DurableConfiguration.refuseForeign(spec, existing.getConsumerConfiguration());
			DurableConfiguration.refuseUnchangeable(spec, existing.getConsumerConfiguration());
		}
		existing = update(management, spec, existing);
		this.namesakes.requireNone(spec);
		return DurableState.of(existing, management.getStreamInfo(spec.stream()), before);
	}

	private ConsumerInfo create(JetStreamManagement management, DurableSpec spec, @Nullable StreamFloor saved)
			throws IOException, JetStreamApiException {
		StreamInfo stream = management.getStreamInfo(spec.stream());
		if (saved != null) {
			// a stream that has lost its tail has fewer events than the projector has
			// applied
			long floor = saved.streamCreated().equals(StreamState.of(stream).created())
					? Math.min(saved.floor(), stream.getStreamState().getLastSequence()) : 0;
			ConsumerInfo recreated = management.addOrUpdateConsumer(spec.stream(), startingBehind(spec, floor, stream));
			logger.warn("Durable '{}' of projector '{}' is gone; it is recreated after sequence {} of stream '{}'.",
					spec.name(), spec.projector(), floor, spec.stream());
			return recreated;
		}
		ConsumerInfo created = management.addOrUpdateConsumer(spec.stream(), DurableConfiguration.wanted(spec, null));
		logger.info("Durable '{}' of projector '{}' is created on stream '{}' with filter {}.", spec.name(),
				spec.projector(), spec.stream(), spec.filterSubjects());
		return created;
	}

	/** A work queue holds no message that was settled. */
	private static ConsumerConfiguration startingBehind(DurableSpec spec, long floor, StreamInfo stream) {
		return WorkQueue.is(stream) ? DurableConfiguration.startingWithAll(spec)
				: DurableConfiguration.startingBehind(spec, floor, null);
	}

	private ConsumerInfo update(JetStreamManagement management, DurableSpec spec, ConsumerInfo existing)
			throws IOException, JetStreamApiException {
		ConsumerConfiguration actual = existing.getConsumerConfiguration();
		ConsumerInfo updated = DurableConfiguration.drift(spec, actual).isEmpty() ? mark(management, spec, existing)
				: management.addOrUpdateConsumer(spec.stream(), DurableConfiguration.marked(spec, existing));
		List<String> changes = DurableConfiguration.changes(spec, actual, updated.getConsumerConfiguration());
		if (!changes.isEmpty()) {
			logger.info("Durable '{}' of projector '{}' is updated: {}.", spec.name(), spec.projector(), changes);
		}
		this.inactivity.tell(spec, updated);
		return updated;
	}

	/** Without the right to do so, nothing but the mark is missing. */
	private static ConsumerInfo mark(JetStreamManagement management, DurableSpec spec, ConsumerInfo existing) {
		if (DurableConfiguration.isMarked(spec, existing)) {
			return existing;
		}
		try {
			return management.addOrUpdateConsumer(spec.stream(), DurableConfiguration.marked(spec, existing));
		}
		catch (IOException | JetStreamApiException ex) {
			logger.debug("Durable '{}' does not get the time of its creation.", spec.name(), ex);
			return existing;
		}
	}

	/**
	 * Resets the durable to a sequence, so that all later events are delivered again in
	 * stream order. If the server cannot reset it, it is deleted and created again with
	 * what an operator set on it.
	 * @return whether this was done; false if it would lose events, which are then
	 * redelivered after their ack wait
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public boolean rewind(DurableSpec spec, long floor) {
		JetStreamManagement management = this.client.management();
		return ask(spec, "reset to sequence " + floor, () -> {
			ConsumerInfo existing = info(management, spec);
			if (existing != null) {
				DurableConfiguration.refuseForeign(spec, existing.getConsumerConfiguration());
			}
			if (existing != null && this.reset.isPossible(existing, floor)
					&& DurableReset.tryTo(management, spec, floor)) {
				return true;
			}
			if (!keepsWhatIsSettled(management, spec)) {
				return false; // the server deletes an event once no consumer waits for it
			}
			ConsumerConfiguration former = (existing != null) ? existing.getConsumerConfiguration() : null;
			if (former != null) {
				management.deleteConsumer(spec.stream(), spec.name());
			}
			DurableFilters.choose(management, spec, (filtered) -> update(management, filtered, management
				.addOrUpdateConsumer(spec.stream(), DurableConfiguration.startingBehind(filtered, floor, former))));
			return true;
		});
	}

	/**
	 * Whether the stream keeps settled events, so that they can be read again.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public boolean keepsWhatIsSettled(DurableSpec spec) {
		return ask(spec, "looked up", () -> keepsWhatIsSettled(this.client.management(), spec));
	}

	private static boolean keepsWhatIsSettled(JetStreamManagement management, DurableSpec spec)
			throws IOException, JetStreamApiException {
		return keepsWhatIsSettled(management.getStreamInfo(spec.stream()));
	}

	private static boolean keepsWhatIsSettled(StreamInfo stream) {
		return stream.getConfiguration().getRetentionPolicy() == RetentionPolicy.Limits;
	}

	/**
	 * Whether messages of the stream may be schedules, its own or those of another one.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public boolean mayHaveSchedules(DurableSpec spec) {
		return ask(spec, "looked up", () -> {
			StreamConfiguration stream = this.client.management().getStreamInfo(spec.stream()).getConfiguration();
			return stream.getAllowMsgSchedules() || stream.getMirror() != null || !stream.getSources().isEmpty();
		});
	}

	private DurableState state(DurableSpec spec, ConsumerInfo info) throws IOException, JetStreamApiException {
		StreamInfo stream = this.client.management().getStreamInfo(spec.stream());
		return DurableState.of(info, stream, DurableConfiguration.changed(spec, info, keepsWhatIsSettled(stream)));
	}

	/**
	 * Whether the stream is a work queue: what is settled is gone for all applications.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public boolean isInWorkQueue(DurableSpec spec) {
		return ask(spec, "looked up", () -> WorkQueue.is(this.client.management().getStreamInfo(spec.stream())));
	}

	/**
	 * When the stream stored the first event after a sequence that the durable delivers,
	 * or null if there is none.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public @Nullable Instant firstBehind(DurableSpec spec, long sequence) {
		return ask(spec, "read after sequence " + sequence, () -> {
			Instant first = null;
			for (String subject : spec.filterSubjects()) {
				StoredMessages.Stored found = this.messages.next(spec.stream(), sequence + 1, subject);
				if (found != null && (first == null || found.storedAt().isBefore(first))) {
					first = found.storedAt();
				}
			}
			return Optional.ofNullable(first);
		}).orElse(null);
	}

	/**
	 * Whether the stream holds another event at a position than the one that was
	 * delivered from there. False if it holds none.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public boolean hasOther(DurableSpec spec, EventPlace delivered) {
		return ask(spec, "read at sequence " + delivered.sequence(), () -> {
			StoredMessages.Stored found = this.messages.find(spec.stream(), delivered.sequence());
			return found != null && !found.storedAt().equals(delivered.storedAt());
		});
	}

	/**
	 * The sequence before the first message that the stream stored at a time or later, of
	 * whichever subject.
	 * @param last the last sequence of the stream, which is returned if there is none
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public long before(DurableSpec spec, Instant time, long last) {
		return ask(spec, "read from " + time, () -> {
			long before = 0;
			long from = last + 1;
			while (from - before > 1) {
				long middle = before + (from - before) / 2;
				StoredMessages.Stored found = this.messages.next(spec.stream(), middle, ">");
				if (found == null || !found.storedAt().isBefore(time)) {
					from = middle;
				}
				else {
					before = Math.min(found.sequence(), last);
				}
			}
			return before;
		});
	}

	/**
	 * The sequence before the first event of a subject that the stream holds, or the
	 * highest number if it holds none.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public long beforeFirst(DurableSpec spec, String subject) {
		return ask(spec, "searched for subject '" + subject + "'", () -> {
			StoredMessages.Stored first = this.messages.next(spec.stream(), 1, subject);
			return (first != null) ? first.sequence() - 1 : Long.MAX_VALUE;
		});
	}

	/**
	 * The creation time and maximum age of the durable's stream.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public StreamLife life(DurableSpec spec) {
		return ask(spec, "looked up", () -> {
			StreamInfo stream = this.client.management().getStreamInfo(spec.stream());
			Duration maxAge = stream.getConfiguration().getMaxAge();
			return new StreamLife(StreamState.of(stream).created(), (maxAge != null) ? maxAge : Duration.ZERO);
		});
	}

	private static @Nullable ConsumerInfo info(JetStreamManagement management, DurableSpec spec)
			throws IOException, JetStreamApiException {
		try {
			return management.getConsumerInfo(spec.stream(), spec.name());
		}
		catch (JetStreamApiException ex) {
			if (ex.getErrorCode() == JetStreamErrors.NOT_FOUND) {
				return null;
			}
			throw ex;
		}
	}

	private <T> T ask(DurableSpec spec, String what, JetStreamErrors.Request<T> request) {
		return JetStreamErrors.answer(request, (cause) -> failure(spec, what, cause));
	}

	private RuntimeException failure(DurableSpec spec, String what, Exception cause) {
		String durable = "Durable '" + spec.name() + "' of projector '" + spec.projector() + "' cannot be " + what;
		String refusal = WorkQueue.refusal(spec, cause, this.client);
		return (refusal != null) ? new JetStreamConfigurationException(durable + ": " + refusal)
				: JetStreamErrors.translate(durable, cause);
	}

	/**
	 * The creation time and maximum age of a stream.
	 *
	 * @param created when it was created
	 * @param maxAge how long it keeps an event; zero means without limit
	 */
	public record StreamLife(Instant created, Duration maxAge) {
	}

	/**
	 * A floor in one incarnation of a stream.
	 *
	 * @param floor the stream sequence up to which all events were settled
	 * @param streamCreated when that stream was created
	 */
	public record StreamFloor(long floor, Instant streamCreated) {
	}

}
