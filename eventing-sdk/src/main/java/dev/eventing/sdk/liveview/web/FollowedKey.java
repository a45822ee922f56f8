package dev.eventing.sdk.liveview.web;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewListener;
import dev.eventing.sdk.liveview.LiveViewStatus;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of one key: its state, and the last frames. Shared by all
 * connections that follow the key. Thread-safe.
 */
final class FollowedKey implements LiveViewListener {

	private final KeyName name;

	private final FrameRing ring;

	private final Set<Follower> followers = ConcurrentHashMap.newKeySet();

	private @Nullable LiveState state;

	/** The frame of the state; null until a connection needs it. */
	private @Nullable StreamFrame whole;

	private LiveViewStatus status = LiveViewStatus.CONNECTING;

	FollowedKey(KeyName name, int ringFrames) {
		this.name = name;
		this.ring = new FrameRing(ringFrames);
	}

	KeyName name() {
		return this.name;
	}

	void add(Follower follower) {
		this.followers.add(follower);
	}

	void remove(Follower follower) {
		this.followers.remove(follower);
	}

	boolean isFollowed() {
		return !this.followers.isEmpty();
	}

	@Override
	public void onFrame(LiveFrame frame) {
		if (frame.isRebuild() || frame.payload() == null) {
			return; // the state follows
		}
		synchronized (this) {
			this.ring.add(StreamFrame.delta(this.name, frame));
		}
		this.followers.forEach(Follower::changed);
	}

	@Override
	public void onState(LiveState state) {
		synchronized (this) {
			if (!state.version().equals(this.ring.last())) {
				// It was read, or is set back: the frames before do not lead to it.
				this.ring.clear();
			}
			this.state = state;
			this.whole = null;
		}
		this.followers.forEach(Follower::changed);
	}

	@Override
	public void onStatus(LiveViewStatus status) {
		synchronized (this) {
			this.status = status;
		}
		this.followers.forEach(Follower::changed);
	}

	synchronized LiveViewStatus status() {
		return this.status;
	}

	/** The state, or null if it was not read yet. */
	synchronized @Nullable LiveState state() {
		return this.state;
	}

	/**
	 * The next frame for a client: the change of what it has, or the whole state if
	 * changes do not lead from there to the present state.
	 * @param has the version that the client has, or null if it has none
	 * @return null if there is none
	 */
	synchronized @Nullable StreamFrame next(@Nullable LiveVersion has) {
		LiveState present = this.state;
		if (present == null) {
			return null;
		}
		if (has != null) {
			StreamFrame change = this.ring.after(has);
			if (change != null) {
				return change;
			}
			if (has.equals(present.version()) || has.equals(this.ring.last())) {
				return null;
			}
		}
		if (this.whole == null) {
			this.whole = StreamFrame.rebuild(this.name, present);
		}
		return this.whole;
	}

	/** Learns that there may be something to send. Does not block. */
	@FunctionalInterface
	interface Follower {

		void changed();

	}

}
