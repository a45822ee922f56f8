package dev.eventing.sdk.liveview.frame;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.nats.Broadcast;
import dev.eventing.sdk.nats.Broadcast.Body;
import org.jspecify.annotations.Nullable;

/**
 * The form of frames as messages: the payload raw, and everything else in headers.
 */
public final class FrameForm {

	/** The event of a message that only tells the version of a key. */
	public static final String DIGEST = "digest";

	private static final String EVENT = "Eventing-Event";

	private static final String EPOCH = "Eventing-Live-Epoch";

	private static final String VERSION = "Eventing-Version";

	private static final String FROM = "Eventing-From";

	private static final String DELTA = "Eventing-Delta";

	private static final String OWN = "own";

	private FrameForm() {
	}

	/** The message of a frame. */
	public static Broadcast write(String subject, LiveFrame frame) {
		String epoch = Long.toString(frame.version().liveEpoch());
		String version = Long.toString(frame.version().version());
		String from = Long.toString(frame.from());
		Map<String, String> headers = frame.own()
				? Map.of(EVENT, frame.event(), EPOCH, epoch, VERSION, version, FROM, from, DELTA, OWN)
				: Map.of(EVENT, frame.event(), EPOCH, epoch, VERSION, version, FROM, from);
		String payload = frame.payload();
		return new Broadcast(subject, headers,
				(payload != null) ? new Body(payload.getBytes(StandardCharsets.UTF_8)) : Body.EMPTY);
	}

	/** The message that tells the version of a key. */
	public static Broadcast digest(String subject, LiveVersion version) {
		return write(subject, new LiveFrame(DIGEST, version.version(), version, false, null));
	}

	/** The frame of a message; null if it is none. */
	public static @Nullable LiveFrame read(Broadcast message) {
		String event = message.header(EVENT);
		Long epoch = number(message.header(EPOCH));
		Long version = number(message.header(VERSION));
		Long from = number(message.header(FROM));
		if (event == null || epoch == null || version == null || from == null) {
			return null;
		}
		return new LiveFrame(event, from, new LiveVersion(epoch, version), OWN.equals(message.header(DELTA)),
				(message.body().length() > 0) ? new String(message.body().bytes(), StandardCharsets.UTF_8) : null);
	}

	private static @Nullable Long number(@Nullable String text) {
		try {
			return (text != null) ? Long.valueOf(text) : null;
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	/**
	 * The sign that the owner of a view lives. Subscribers read their states again when
	 * one of its values changes.
	 *
	 * @param liveEpoch the live epoch of the view
	 * @param owner changes when frames may have been lost: with the owner, with its
	 * connection to NATS, and when it could not send one
	 */
	public record Beat(long liveEpoch, String owner) {

		private static final String OWNER = "Eventing-Owner";

		/** Its message. */
		public Broadcast message(String view) {
			return new Broadcast(FrameSubjects.owner(view),
					Map.of(EPOCH, Long.toString(this.liveEpoch), OWNER, this.owner), Body.EMPTY);
		}

		/** The beat of a message; null if it is none. */
		public static @Nullable Beat read(Broadcast message) {
			Long epoch = number(message.header(EPOCH));
			String owner = message.header(OWNER);
			return (epoch != null && owner != null) ? new Beat(epoch, owner) : null;
		}

	}

}
