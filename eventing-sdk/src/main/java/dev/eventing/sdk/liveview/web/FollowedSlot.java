package dev.eventing.sdk.liveview.web;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewStatus;
import org.jspecify.annotations.Nullable;

/**
 * One key of one connection: how far its client is. There is no queue: the missing
 * changes are found when they can be sent.
 */
final class FollowedSlot implements FollowedKey.Follower {

	private final Consumer<FollowedSlot> behind;

	/** Whether it waits to be sent. */
	private final AtomicBoolean waiting = new AtomicBoolean();

	private @Nullable FollowedKey key;

	private @Nullable LiveVersion position;

	private @Nullable LiveViewStatus told;

	/**
	 * Creates a slot.
	 * @param position what the client has, or null
	 * @param behind gets the slot when there may be something to send, and does not block
	 */
	FollowedSlot(@Nullable LiveVersion position, Consumer<FollowedSlot> behind) {
		this.position = position;
		this.behind = behind;
	}

	/** Has this key from now on. Called once, before the connection opens. */
	void has(FollowedKey key) {
		this.key = key;
	}

	/** The key; null if there was no room for it. */
	@Nullable FollowedKey key() {
		return this.key;
	}

	@Override
	public void changed() {
		if (this.waiting.compareAndSet(false, true)) {
			this.behind.accept(this);
		}
	}

	/** Called before {@link #next}: changes from now on make it wait again. */
	void taken() {
		this.waiting.set(false);
	}

	/**
	 * The next frame for the client, or null if it has all. Called under the lock of the
	 * connection.
	 */
	@Nullable StreamFrame next() {
		FollowedKey followed = this.key;
		if (followed == null) {
			return null;
		}
		StreamFrame frame = followed.next(this.position);
		if (frame != null) {
			this.position = frame.version();
			return frame;
		}
		LiveViewStatus status = followed.status();
		if (status == this.told) {
			return null;
		}
		this.told = status;
		return StreamFrame.status(followed.name(), status);
	}

	/** The client's version, or null. */
	@Nullable LiveVersion position() {
		return this.position;
	}

}
