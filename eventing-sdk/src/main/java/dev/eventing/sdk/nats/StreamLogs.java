package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.nats.client.JetStreamApiException;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Looks at streams that are read as logs, and finds out whether they have all events.
 * Thread-safe.
 */
public final class StreamLogs {

	private final NatsClient client;

	private final StoredMessages messages;

	/** Sends no request yet. */
	public StreamLogs(NatsClient client) {
		this.client = client;
		this.messages = new StoredMessages(client);
	}

	/**
	 * The stream as it is now; empty if there is none.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public Optional<StreamLog> find(String stream) {
		try {
			StreamInfo info = this.client.management().getStreamInfo(stream);
			StreamState state = info.getStreamState();
			return Optional.of(new StreamLog(stream, info.getCreateTime().toInstant().truncatedTo(ChronoUnit.MICROS),
					state.getFirstSequence(), state.getLastSequence(), gaps(info.getConfiguration(), state)));
		}
		catch (JetStreamApiException ex) {
			if (ex.getErrorCode() == JetStreamErrors.NOT_FOUND) {
				return Optional.empty();
			}
			throw JetStreamErrors.translate("Stream '" + stream + "' cannot be looked up", ex);
		}
		catch (IOException | IllegalStateException ex) {
			throw JetStreamErrors.translate("Stream '" + stream + "' cannot be looked up", ex);
		}
	}

	/** Why the stream need not have all events that were ever published to it. */
	static List<String> gaps(StreamConfiguration settings, StreamState state) {
		List<String> gaps = new ArrayList<>();
		long lost = state.getLastSequence() - state.getMsgCount();
		add(gaps, lost > 0, "It has lost " + lost + " of the " + state.getLastSequence()
				+ " messages that it ever had. Consider a stream to which all events are published again.");
		add(gaps, settings.getRetentionPolicy() != RetentionPolicy.Limits, "Its retention is "
				+ settings.getRetentionPolicy() + ", which deletes what was read. Consider limits.");
		add(gaps, isLong(settings.getMaxAge()),
				"Its max_age deletes events after " + settings.getMaxAge() + ". Consider removing it.");
		add(gaps, isLong(settings.getSubjectDeleteMarkerTtl()) || settings.getAllowMessageTtl(),
				"Its allow_msg_ttl lets publishers limit the life of an event. Consider a stream without it.");
		boolean old = settings.getDiscardPolicy() != DiscardPolicy.New;
		add(gaps, old && settings.getMaxMsgs() > 0,
				"Its max_msgs deletes the oldest events. Consider removing it, or discard = new.");
		add(gaps, old && settings.getMaxBytes() > 0,
				"Its max_bytes deletes the oldest events. Consider removing it, or discard = new.");
		add(gaps, settings.getMaxMsgsPerSubject() > 0 && !(!old && settings.isDiscardNewPerSubject()),
				"Its max_msgs_per_subject deletes the oldest events of a subject. Consider removing it.");
		add(gaps, settings.getAllowRollup(),
				"Its allow_rollup_hdrs lets publishers delete events. Consider a stream without it.");
		add(gaps, settings.getMirror() != null,
				"It is a mirror, which may lack events of its origin. Consider the origin.");
		add(gaps, settings.getSources() != null && !settings.getSources().isEmpty(),
				"It has sources, of which it may lack events. Consider the streams that they name.");
		return gaps;
	}

	private static void add(List<String> gaps, boolean isSo, String gap) {
		if (isSo) {
			gaps.add(gap);
		}
	}

	private static boolean isLong(@Nullable Duration duration) {
		return duration != null && !duration.isZero() && !duration.isNegative();
	}

	/**
	 * When the stream stored the message with this sequence, or null if it does not hold
	 * it.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public @Nullable Instant storedAt(String stream, long sequence) {
		return JetStreamErrors.answer("Stream '" + stream + "' cannot be read at sequence " + sequence, () -> {
			StoredMessages.Stored found = this.messages.find(stream, sequence);
			return Optional.ofNullable(found).map(StoredMessages.Stored::storedAt);
		}).orElse(null);
	}

	/**
	 * The first of these events after a sequence, or null. The leader of the stream
	 * answers: a consumer that has nothing left may be on a replica that lags.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public @Nullable First firstBehind(String stream, Collection<String> filters, long behind) {
		return JetStreamErrors.answer("Stream '" + stream + "' cannot be read after sequence " + behind, () -> {
			First first = null;
			for (String filter : filters) {
				StoredMessages.Stored found = this.messages.next(stream, behind + 1, filter);
				if (found != null && (first == null || found.sequence() < first.sequence())) {
					first = new First(found.sequence(), found.storedAt());
				}
			}
			return Optional.ofNullable(first);
		}).orElse(null);
	}

	/**
	 * A message of a stream.
	 *
	 * @param sequence its sequence
	 * @param storedAt when the stream stored it
	 */
	public record First(long sequence, Instant storedAt) {
	}

}
