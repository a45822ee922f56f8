package dev.eventing.sdk.liveview.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveViewListener;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one listener is to learn, in order and one at a time. A listener that is slower
 * than the changes gets the latest state, with the frames that lead to it as long as they
 * are few and small. So only a few states wait, however large and many they are. Adding
 * never waits for the listener. Thread-safe.
 */
final class ListenerCalls {

	/** More calls are not kept. Only every other one has a state. */
	static final int MOST = 8;

	/** More frames are not kept for one state. */
	static final int MOST_FRAMES = 256;

	/** Nor are frames with more characters than that. */
	static final int MOST_TEXT = 256 * 1024;

	/** The longest turn of a listener. Then other listeners have theirs. */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final Logger logger = LoggerFactory.getLogger(ListenerCalls.class);

	private final Address address;

	private final LiveViewListener listener;

	private final ListenerThreads threads;

	private final Deque<Call> waiting = new ArrayDeque<>();

	private boolean running;

	private boolean closed;

	/** The last ones that were added. */
	private @Nullable LiveState lastState;

	private LiveViewStatus lastStatus = LiveViewStatus.CONNECTING;

	private volatile @Nullable LiveState state;

	private volatile LiveViewStatus status = LiveViewStatus.CONNECTING;

	ListenerCalls(Address address, LiveViewListener listener, ListenerThreads threads) {
		this.address = address;
		this.listener = listener;
		this.threads = threads;
	}

	/** The state that the listener got last. */
	@Nullable LiveState state() {
		return this.state;
	}

	/** The status that the listener got last; closed from {@link #close} on. */
	LiveViewStatus status() {
		return this.status;
	}

	/** There is another state. */
	synchronized void state(List<LiveFrame> frames, LiveState next) {
		this.lastState = next;
		Call last = this.waiting.peekLast();
		LiveState before = (last != null) ? last.state() : null;
		if (last != null && before != null && last.status() == null) {
			this.waiting.removeLast();
			add(new Call(together(last.frames(), before, frames), next, null));
		}
		else {
			add(new Call(frames, next, null));
		}
	}

	/** There is another status. Does nothing if it is the last one. */
	synchronized void status(LiveViewStatus next) {
		if (this.lastStatus != next) {
			this.lastStatus = next;
			add(new Call(List.of(), null, next));
		}
	}

	/**
	 * The frames that lead to a state, if the one before it is not shown. None if the one
	 * before was read, because the listener does not have the state that they join.
	 */
	private static List<LiveFrame> together(List<LiveFrame> first, LiveState before, List<LiveFrame> then) {
		if (first.isEmpty() || then.isEmpty() || !isNext(then.get(0), before)) {
			return List.of();
		}
		List<LiveFrame> all = new ArrayList<>(first);
		all.addAll(then);
		return (all.size() <= MOST_FRAMES && text(all) <= MOST_TEXT) ? all : List.of();
	}

	private static long text(List<LiveFrame> frames) {
		long text = 0;
		for (LiveFrame frame : frames) {
			String payload = frame.payload();
			text += (payload != null) ? payload.length() : 0;
		}
		return text;
	}

	private static boolean isNext(LiveFrame frame, LiveState before) {
		return frame.from() == before.version().version()
				&& frame.version().liveEpoch() == before.version().liveEpoch();
	}

	private void add(Call call) {
		if (this.closed) {
			return;
		}
		if (this.waiting.size() < MOST) {
			this.waiting.add(call);
		}
		else {
			this.waiting.clear();
			this.waiting.add(new Call(List.of(), this.lastState, this.lastStatus));
		}
		run();
	}

	private void run() {
		if (!this.running) {
			this.threads.run(this::turn);
			this.running = true;
		}
	}

	/** What waits is dropped, and the listener learns of the end. */
	synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.status = LiveViewStatus.CLOSED;
			this.waiting.clear();
			this.waiting.add(new Call(List.of(), null, LiveViewStatus.CLOSED));
			run();
		}
	}

	private void turn() {
		boolean ended = false;
		try {
			ended = makeSome();
		}
		finally {
			if (!ended) {
				again();
			}
		}
	}

	/** Returns whether no call waits. */
	private boolean makeSome() {
		long began = System.nanoTime();
		do {
			Call call = next();
			if (call == null) {
				return true;
			}
			make(call);
		}
		while (System.nanoTime() - began < TURN_NANOS);
		return false;
	}

	/** The next call that is added begins a turn if none can begin now. */
	private synchronized void again() {
		this.running = false;
		run();
	}

	private synchronized @Nullable Call next() {
		Call call = this.waiting.poll();
		this.running = call != null;
		return call;
	}

	private void make(Call call) {
		call.frames().forEach((frame) -> call(() -> this.listener.onFrame(frame)));
		LiveState next = call.state();
		if (next != null) {
			this.state = next;
			call(() -> this.listener.onState(next));
		}
		LiveViewStatus now = call.status();
		if (now != null && show(now)) {
			call(() -> this.listener.onStatus(now));
		}
	}

	/** Nothing follows the end. */
	private synchronized boolean show(LiveViewStatus now) {
		if (this.closed) {
			return now == LiveViewStatus.CLOSED;
		}
		boolean another = this.status != now;
		this.status = now;
		return another;
	}

	private void call(Runnable call) {
		this.threads.begins();
		try {
			call.run();
		}
		catch (Throwable ex) { // checked ones of other languages, too: the thread serves
								// other listeners
			logger.warn("The listener of key '{}' of tenant '{}' failed; its subscription continues.",
					this.address.key(), this.address.tenant(), ex);
		}
	}

	/** The frames and the state that they lead to, or a status, or both. */
	private record Call(List<LiveFrame> frames, @Nullable LiveState state, @Nullable LiveViewStatus status) {
	}

}
