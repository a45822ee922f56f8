package dev.eventing.sdk.liveview.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.liveview.LiveViewListener;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.nats.Broadcasts;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.Watched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

import org.springframework.dao.DataAccessException;

/**
 * What this node follows: one subscription of core NATS per view, one thread that reads
 * states, many keys by one statement, and the threads of listeners. Thread-safe.
 */
public final class Following implements Watched, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Following.class);

	private static final Duration TICK = Duration.ofMillis(50);

	/** More keys are read by further statements. */
	private static final int KEYS_OF_A_READ = 500;

	private final Broadcasts nats;

	private final StateReader reader;

	private final Map<String, ViewChannel> channels = new ConcurrentHashMap<>();

	private final SupervisedWorker worker = SupervisedWorker.daemon("eventing-live-subscriptions", this::run);

	/** Listeners of the application, which may block. */
	private final ListenerThreads listeners = new ListenerThreads("eventing-live-listener-");

	/** Listeners of streams. */
	private final ListenerThreads streams = new ListenerThreads("eventing-live-stream-");

	private volatile boolean failing;

	private volatile boolean closed;

	/**
	 * Starts nothing yet.
	 * @param reader reads states within a few seconds, or fails
	 */
	public Following(Broadcasts nats, StateReader reader) {
		this.nats = nats;
		this.reader = reader;
	}

	/** Follows a key. Once this is closed, the subscription is closed from its start. */
	public LiveViewSubscription follow(String view, Address address, LiveViewListener listener) {
		return follow(view, address, new ListenerCalls(address, listener, this.listeners));
	}

	/**
	 * Follows a key, as {@link #follow} does. Listeners that do not return do not hold
	 * this one up.
	 * @param listener does not block
	 */
	public LiveViewSubscription followForStreams(String view, Address address, LiveViewListener listener) {
		return follow(view, address, new ListenerCalls(address, listener, this.streams));
	}

	private LiveViewSubscription follow(String view, Address address, ListenerCalls calls) {
		Follower follower = new Follower(address, calls, this.reader.mapper(), (ended) -> remove(view, ended));
		if (!this.closed) {
			this.channels.compute(view, (name, present) -> {
				ViewChannel channel = (present != null) ? present : new ViewChannel(name, this.nats);
				channel.add(follower);
				return channel;
			});
			this.worker.start();
		}
		if (this.closed) { // it may have been closed meanwhile
			follower.close();
		}
		return follower;
	}

	private void remove(String view, Follower follower) {
		this.channels.computeIfPresent(view, (name, channel) -> {
			if (!channel.remove(follower)) {
				return channel;
			}
			channel.close();
			return null;
		});
	}

	private void run() throws InterruptedException {
		while (!this.worker.awaitStop(TICK) && !this.closed) {
			this.listeners.tick();
			this.streams.tick();
			for (ViewChannel channel : this.channels.values()) {
				channel.tick();
				read(channel);
			}
			this.worker.beat();
		}
	}

	private void read(ViewChannel channel) {
		List<Follower> due = channel.due(KEYS_OF_A_READ);
		while (!due.isEmpty()) {
			read(channel.view(), due);
			due = (due.size() == KEYS_OF_A_READ && !this.failing) ? channel.due(KEYS_OF_A_READ) : List.of();
		}
	}

	private void read(String view, List<Follower> due) {
		boolean done = false;
		try {
			give(view, due);
			done = true;
		}
		finally {
			if (!done) {
				due.forEach(Follower::notRead); // else they wait for this read for ever
			}
		}
	}

	private void give(String view, List<Follower> due) {
		StateReader.Read read;
		try {
			read = this.reader.read(view, due.stream().map(Follower::address).toList());
			this.failing = false;
		}
		catch (JacksonException ex) {
			oneByOne(view, due, ex);
			return;
		}
		catch (DataAccessException ex) {
			if (!this.failing) {
				this.failing = true;
				logger
					.warn("States of live view '{}' are not read, so what its subscribers show may be old. It is tried"
							+ " again about once a second.", view, ex);
			}
			due.forEach(Follower::notRead);
			return;
		}
		for (int i = 0; i < due.size(); i++) {
			due.get(i).read(read.states().get(i));
		}
	}

	/** One state that cannot be read keeps no other from being read. */
	private void oneByOne(String view, List<Follower> due, JacksonException cause) {
		if (due.size() > 1) {
			due.forEach((each) -> give(view, List.of(each)));
			return;
		}
		Follower only = due.get(0);
		if (only.isFirstFailure()) {
			logger.warn("The state of key '{}' of tenant '{}' in live view '{}' cannot be read.", only.address().key(),
					only.address().tenant(), view, cause);
		}
		only.notRead();
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		List<Stall> stalls = new ArrayList<>(this.worker.stalls(longest));
		stalls.addAll(this.listeners.stalls(longest));
		stalls.addAll(this.streams.stalls(longest));
		return stalls;
	}

	@Override
	public void close() {
		this.closed = true;
		this.worker.stop();
		this.channels.values().forEach(ViewChannel::close);
		this.listeners.close();
		this.streams.close();
	}

}
