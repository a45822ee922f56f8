package dev.eventing.sdk.liveview.web;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewStatus;
import tools.jackson.databind.json.JsonMapper;

/**
 * A frame in the form of server-sent events, without its id: that depends on the
 * connection. Written once, sent to all connections that follow the key.
 */
final class StreamFrame {

	/** The event of a frame that tells whether a key is live. */
	static final String STATUS = "live-status";

	private static final JsonMapper JSON = EventJson.mapper();

	private static final LiveVersion NONE = new LiveVersion(0, 0);

	private final long from;

	private final LiveVersion version;

	private final byte[] bytes;

	private StreamFrame(long from, LiveVersion version, String event, String data) {
		this.from = from;
		this.version = version;
		this.bytes = ("event: " + line(event) + "\ndata: " + line(data) + "\n\n").getBytes(StandardCharsets.UTF_8);
	}

	/** A change. */
	static StreamFrame delta(KeyName name, LiveFrame frame) {
		String from = new LiveVersion(frame.version().liveEpoch(), frame.from()).toString();
		return new StreamFrame(frame.from(), frame.version(), frame.event(),
				begin(name) + ",\"from\":\"" + from + "\",\"version\":\"" + frame.version() + "\",\""
						+ (frame.own() ? "delta" : "patch") + "\":" + frame.payload() + "}");
	}

	/** The whole state. */
	static StreamFrame rebuild(KeyName name, LiveState state) {
		return new StreamFrame(0, state.version(), LiveFrame.REBUILD, whole(name, state));
	}

	/** The status of a key, which leads to no version. */
	static StreamFrame status(KeyName name, LiveViewStatus status) {
		return new StreamFrame(0, NONE, STATUS,
				begin(name) + ",\"status\":\"" + status.name().toLowerCase(Locale.ROOT) + "\"}");
	}

	/** The JSON of a whole state. */
	static String whole(KeyName name, LiveState state) {
		return begin(name) + ",\"version\":\"" + state.version() + "\",\"state\":" + state.json() + "}";
	}

	private static String begin(KeyName name) {
		return "{\"view\":" + text(name.view()) + ",\"key\":" + text(name.key());
	}

	private static String text(String value) {
		return JSON.writeValueAsString(value);
	}

	/** Between the tokens of JSON a line break means the same as a space. */
	private static String line(String text) {
		return text.replace('\n', ' ').replace('\r', ' ');
	}

	/** The version that a client has before it. */
	long from() {
		return this.from;
	}

	/** The version that a client has after it. */
	LiveVersion version() {
		return this.version;
	}

	/** Not copied: do not change them. */
	byte[] bytes() {
		return this.bytes;
	}

}
