package dev.eventing.sdk.liveview.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.frame.FrameForm;
import dev.eventing.sdk.liveview.frame.MergePatch;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The state of one key as a subscriber has it, made of what was read and of frames that
 * join it. Knows nothing of time, threads or servers. Not thread-safe.
 */
final class JoinedState {

	/** More frames than that need not be kept while the state is being read. */
	private static final int MOST_WAITING = 256;

	private final String key;

	private final JsonMapper mapper;

	private @Nullable LiveState state;

	/** Frames that came while the state was being read. */
	private final List<LiveFrame> waiting = new ArrayList<>();

	private boolean reading;

	/** Whether the state must be read again, because a frame that waited did not join. */
	private boolean again;

	JoinedState(String key, JsonMapper mapper) {
		this.key = key;
		this.mapper = mapper;
	}

	/** The state; null before the first one was read. */
	@Nullable LiveState state() {
		return this.state;
	}

	/** What became of a frame. */
	enum Outcome {

		/** It led to another state. */
		JOINED,

		/** It is old, or waits until the state was read. */
		NOTHING,

		/** The state must be read. */
		READ

	}

	/** A frame arrived. */
	Outcome frame(LiveFrame frame) {
		LiveState present = this.state;
		if (this.reading || present == null) {
			if (this.waiting.size() >= MOST_WAITING) {
				this.waiting.clear(); // a gap, which leads to another read
			}
			this.waiting.add(frame);
			return this.reading ? Outcome.NOTHING : Outcome.READ;
		}
		return join(present, frame);
	}

	private Outcome join(LiveState present, LiveFrame frame) {
		LiveVersion known = present.version();
		LiveVersion version = frame.version();
		if (frame.event().equals(FrameForm.DIGEST)) {
			return known.equals(version) ? Outcome.NOTHING : Outcome.READ;
		}
		if (version.liveEpoch() != known.liveEpoch()) {
			// One of an older epoch comes from an owner that was frozen.
			return (version.liveEpoch() > known.liveEpoch()) ? Outcome.READ : Outcome.NOTHING;
		}
		if (version.version() <= known.version()) {
			return Outcome.NOTHING;
		}
		boolean joins = frame.isRebuild() || (frame.from() == known.version() && !frame.own());
		JsonNode payload = joins ? parsed(frame.payload()) : null;
		if (payload == null) {
			return Outcome.READ;
		}
		JsonNode next = frame.isRebuild() ? payload : MergePatch.apply(present.tree(), payload);
		this.state = new LiveState(this.key, version, next, null, this.mapper);
		return Outcome.JOINED;
	}

	private @Nullable JsonNode parsed(@Nullable String payload) {
		try {
			return (payload != null) ? this.mapper.readTree(payload) : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	/** The state is being read from now on: what arrives waits. */
	void reading() {
		this.reading = true;
	}

	/**
	 * The state could not be read. What has waited may join what is known.
	 * @return the frames that joined
	 */
	List<LiveFrame> notRead() {
		this.reading = false;
		return replay();
	}

	/**
	 * The state was read. It counts, whatever was known before: the database may have
	 * been set back.
	 * @return the frames that have waited and joined it
	 */
	List<LiveFrame> read(LiveState read) {
		this.reading = false;
		this.state = read;
		return replay();
	}

	/** Whether frames that have waited need another read. */
	boolean takeAgain() {
		boolean taken = this.again;
		this.again = false;
		return taken;
	}

	private List<LiveFrame> replay() {
		List<LiveFrame> joined = new ArrayList<>();
		LiveState present = this.state;
		if (present == null) {
			return joined;
		}
		for (LiveFrame frame : this.waiting) {
			Outcome outcome = join(present, frame);
			present = Objects.requireNonNull(this.state);
			if (outcome == Outcome.JOINED) {
				joined.add(frame);
			}
			this.again |= outcome == Outcome.READ && !isDigestOfBefore(frame, present);
		}
		this.waiting.clear();
		return joined;
	}

	/** Whether it is a digest of a version that the read has passed. */
	private static boolean isDigestOfBefore(LiveFrame frame, LiveState present) {
		return frame.event().equals(FrameForm.DIGEST) && frame.version().liveEpoch() == present.version().liveEpoch()
				&& frame.version().version() < present.version().version();
	}

}
