package dev.eventing.sdk.liveview.client;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One subscription: joins what it gets, and lets its listener know. Never waits for the
 * listener. Thread-safe.
 */
final class Follower implements LiveViewSubscription {

	private final Address address;

	private final ListenerCalls calls;

	private final Consumer<Follower> closing;

	private final ReentrantLock lock = new ReentrantLock();

	private final JoinedState joined;

	private boolean closed;

	/** When the state is to be read, by {@link System#nanoTime}; null if it is not. */
	private @Nullable Long readAt;

	private long lastRead = System.nanoTime();

	private boolean heard;

	private boolean failing;

	/**
	 * How often frames may have been lost; how much of that was before the running read,
	 * and how much was before the last read that has ended.
	 */
	private int suspected;

	private int asked;

	private int answered;

	Follower(Address address, ListenerCalls calls, JsonMapper mapper, Consumer<Follower> closing) {
		this.address = address;
		this.calls = calls;
		this.closing = closing;
		this.joined = new JoinedState(address.key(), mapper);
		this.readAt = System.nanoTime();
	}

	Address address() {
		return this.address;
	}

	/** A frame arrived. */
	void frame(LiveFrame frame) {
		this.lock.lock();
		try {
			switch (this.joined.frame(frame)) {
				case JOINED -> show(List.of(frame));
				case READ -> readWithin(20, 150);
				case NOTHING -> {
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The state is to be read, at a time between these; or earlier, if it is due. */
	void readWithin(long fromMillis, long toMillis) {
		this.lock.lock();
		try {
			long at = System.nanoTime()
					+ TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(fromMillis, toMillis + 1));
			Long due = this.readAt;
			if (due == null || at - due < 0) {
				this.readAt = at;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Frames may be lost: the state is to be read within this time, and is stale until
	 * then.
	 */
	void readBecauseOfLoss(long withinMillis) {
		this.lock.lock();
		try {
			this.suspected++;
			readWithin(0, withinMillis);
			update();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether the caller is to read the state now. */
	boolean takeDue(long now) {
		this.lock.lock();
		try {
			Long due = this.readAt;
			if (due == null || due - now > 0 || this.closed) {
				return false;
			}
			this.readAt = null;
			this.asked = this.suspected;
			this.joined.reading();
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The state was read. */
	void read(LiveState read) {
		this.lock.lock();
		try {
			this.lastRead = System.nanoTime();
			this.failing = false;
			this.answered = this.asked;
			LiveState before = this.joined.state();
			List<LiveFrame> frames = this.joined.read(read);
			if (!Objects.equals(before, this.joined.state())) {
				show(frames);
			}
			readAgainIfNeeded();
			update();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The state could not be read; it is tried again. */
	void notRead() {
		this.lock.lock();
		try {
			this.lastRead = System.nanoTime();
			this.failing = true;
			List<LiveFrame> frames = this.joined.notRead();
			if (!frames.isEmpty()) {
				show(frames);
			}
			readWithin(500, 1500);
			update();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether the last read did not fail. */
	boolean isFirstFailure() {
		this.lock.lock();
		try {
			return !this.failing;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void readAgainIfNeeded() {
		if (this.joined.takeAgain()) {
			readWithin(20, 150);
		}
	}

	/** Whether the owner of the view is heard. */
	void heard(boolean now) {
		this.lock.lock();
		try {
			this.heard = now;
			update();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** While no owner is heard, the state is read from time to time. */
	void readIfOlderThan(long nanos) {
		this.lock.lock();
		try {
			if (this.readAt == null && System.nanoTime() - this.lastRead > nanos) {
				readWithin(0, 300);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void update() {
		this.calls.status((this.joined.state() == null) ? LiveViewStatus.CONNECTING
				: (this.heard && !this.failing && this.answered == this.suspected) ? LiveViewStatus.LIVE
						: LiveViewStatus.STALE);
	}

	private void show(List<LiveFrame> frames) {
		LiveState present = this.joined.state();
		if (present != null) {
			this.calls.state(frames, present);
		}
	}

	@Override
	public Optional<LiveState> state() {
		return Optional.ofNullable(this.calls.state());
	}

	@Override
	public LiveViewStatus status() {
		return this.calls.status();
	}

	@Override
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.readAt = null;
			this.calls.close();
		}
		finally {
			this.lock.unlock();
		}
		this.closing.accept(this);
	}

}
