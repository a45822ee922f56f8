package dev.eventing.sdk.liveview.web;

import java.util.ArrayDeque;
import java.util.Iterator;

import dev.eventing.sdk.liveview.LiveVersion;
import org.jspecify.annotations.Nullable;

/**
 * The last frames of one key. Each begins where the one before it ends. Not thread-safe.
 */
final class FrameRing {

	/** Beyond that a whole state is cheaper than its changes. */
	static final int MOST_BYTES = 64 << 10;

	private final int most;

	private final ArrayDeque<StreamFrame> frames = new ArrayDeque<>();

	private int bytes;

	FrameRing(int most) {
		this.most = most;
	}

	/**
	 * Adds a frame. One that is older than the last is dropped; one that does not begin
	 * where the last ends replaces all.
	 */
	void add(StreamFrame frame) {
		LiveVersion last = last();
		if (last != null && last.liveEpoch() == frame.version().liveEpoch()) {
			if (frame.version().version() <= last.version()) {
				return;
			}
			if (frame.from() != last.version()) {
				clear();
			}
		}
		else {
			clear();
		}
		this.frames.addLast(frame);
		this.bytes += frame.bytes().length;
		while (this.frames.size() > this.most || this.bytes > MOST_BYTES) {
			this.bytes -= this.frames.removeFirst().bytes().length;
		}
	}

	void clear() {
		this.frames.clear();
		this.bytes = 0;
	}

	/** The version after the last frame, or null if there is none. */
	@Nullable LiveVersion last() {
		StreamFrame last = this.frames.peekLast();
		return (last != null) ? last.version() : null;
	}

	/** The frame that begins at a version, or null if there is none. */
	@Nullable StreamFrame after(LiveVersion version) {
		// From the end: most readers lack the last frame only.
		for (Iterator<StreamFrame> each = this.frames.descendingIterator(); each.hasNext();) {
			StreamFrame frame = each.next();
			if (frame.version().liveEpoch() != version.liveEpoch() || frame.version().version() <= version.version()) {
				return null;
			}
			if (frame.from() == version.version()) {
				return frame;
			}
		}
		return null;
	}

}
