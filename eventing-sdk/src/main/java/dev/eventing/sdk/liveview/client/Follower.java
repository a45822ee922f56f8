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
import dev.eventing.sdk.liveview.LiveViewListener;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** One subscription: joins what it gets, and lets its listener know. Thread-safe. */
final class Follower implements LiveViewSubscription {

	private static final Logger logger = LoggerFactory.getLogger(Follower.class);

	private final Address address;

	private final LiveViewListener listener;

	private final Consumer<Follower> closing;

	/** Also held while the listener is called, so that its calls do not overlap. */
	private final ReentrantLock lock = new ReentrantLock();

	private final JoinedState joined;

	private volatile LiveViewStatus status = LiveViewStatus.CONNECTING;

	private volatile @Nullable LiveState state;

	/** When the state is to be read, by {@link System#nanoTime}; null if it is not. */
	private @Nullable Long readAt;

	private long lastRead = System.nanoTime();

	private boolean heard;

	private boolean failing;

	Follower(Address address, LiveViewListener listener, JsonMapper mapper, Consumer<Follower> closing) {
		this.address = address;
		this.listener = listener;
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

	/** Whether the caller is to read the state now. */
	boolean takeDue(long now) {
		this.lock.lock();
		try {
			Long due = this.readAt;
			if (due == null || due - now > 0 || this.status == LiveViewStatus.CLOSED) {
				return false;
			}
			this.readAt = null;
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
		LiveViewStatus next = (this.state == null) ? LiveViewStatus.CONNECTING
				: (this.heard && !this.failing) ? LiveViewStatus.LIVE : LiveViewStatus.STALE;
		set(next);
	}

	private void set(LiveViewStatus next) {
		if (this.status != LiveViewStatus.CLOSED && this.status != next) {
			this.status = next;
			call(() -> this.listener.onStatus(next));
		}
	}

	private void show(List<LiveFrame> frames) {
		LiveState present = this.joined.state();
		if (present == null || this.status == LiveViewStatus.CLOSED) {
			return;
		}
		frames.forEach((frame) -> call(() -> this.listener.onFrame(frame)));
		this.state = present;
		call(() -> this.listener.onState(present));
	}

	private void call(Runnable call) {
		try {
			call.run();
		}
		catch (RuntimeException | Error ex) { // it runs on a thread that serves others
			logger.warn("The listener of key '{}' of tenant '{}' failed; its subscription goes on.", this.address.key(),
					this.address.tenant(), ex);
		}
	}

	@Override
	public Optional<LiveState> state() {
		return Optional.ofNullable(this.state);
	}

	@Override
	public LiveViewStatus status() {
		return this.status;
	}

	@Override
	public void close() {
		this.lock.lock();
		try {
			set(LiveViewStatus.CLOSED);
			this.readAt = null;
		}
		finally {
			this.lock.unlock();
		}
		this.closing.accept(this);
	}

}
