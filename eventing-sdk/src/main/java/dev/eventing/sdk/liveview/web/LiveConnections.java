package dev.eventing.sdk.liveview.web;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewWebOptions;
import dev.eventing.sdk.worker.ApplicationPhase;
import dev.eventing.sdk.worker.PeriodicTasks;
import dev.eventing.sdk.worker.RunningPart;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.Watched;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of this node, and their limits. Stops before the web server, which
 * waits for requests that have not ended. Thread-safe.
 */
public final class LiveConnections implements RunningPart, Watched {

	private static final Duration TICK = Duration.ofMillis(250);

	private final LiveViewWebOptions options;

	private final FollowedKeys keys;

	private final LiveWriters writers = new LiveWriters();

	private final PeriodicTasks tasks = new PeriodicTasks("eventing-live-web");

	private final Set<LiveConnection> open = ConcurrentHashMap.newKeySet();

	private final Map<String, Integer> principals = new HashMap<>();

	private PeriodicTasks.@Nullable Task tick;

	private int count;

	private volatile boolean running;

	private boolean stopped;

	/**
	 * Starts nothing yet.
	 * @param subscriptions follow keys on threads on which no listener of the application
	 * runs
	 */
	public LiveConnections(KeySubscriptions subscriptions, LiveViewWebOptions options) {
		this.options = options;
		this.keys = new FollowedKeys(subscriptions, options);
	}

	/**
	 * A stream that follows these keys, which the caller begins.
	 * @param principal the user, or null
	 * @param positions what the client has, in the order of the names
	 * @throws RefusedException if a limit is reached, or the node stops
	 */
	LiveConnection open(@Nullable String principal, List<KeyName> names, List<@Nullable LiveVersion> positions) {
		reserve(principal);
		LiveConnection connection = new LiveConnection(principal, positions, this.writers, this.options, this::ended);
		this.open.add(connection);
		boolean followed = false;
		try {
			followed = connection.follow(this.keys, names);
		}
		finally {
			if (!followed || isStopped()) {
				connection.close(); // a stop that came meanwhile may not have seen it
			}
		}
		if (!followed) {
			throw RefusedException.unavailable("This node follows as many keys as it may. Consider trying later.");
		}
		return connection;
	}

	private synchronized boolean isStopped() {
		return this.stopped;
	}

	private synchronized void reserve(@Nullable String principal) {
		if (this.stopped) {
			throw RefusedException.unavailable("This node stops. Consider trying again: another one may answer.");
		}
		if (this.count >= this.options.maxConnections()) {
			throw RefusedException.unavailable("This node has as many streams as it may. Consider trying later.");
		}
		if (principal != null) {
			int own = this.principals.getOrDefault(principal, 0);
			if (own >= this.options.maxConnectionsPerPrincipal()) {
				throw RefusedException
					.tooMany("You have " + own + " streams, which is the limit. Consider several keys on one stream.");
			}
			this.principals.put(principal, own + 1);
		}
		this.count++;
	}

	private void ended(LiveConnection connection) {
		if (!this.open.remove(connection)) {
			return;
		}
		connection.leave(this.keys);
		synchronized (this) {
			this.count--;
			String principal = connection.principal();
			if (principal != null) {
				this.principals.computeIfPresent(principal, (name, own) -> (own > 1) ? own - 1 : null);
			}
		}
	}

	/** The state that this node has of a key, or null if it does not follow it. */
	@Nullable LiveState state(KeyName name) {
		return this.keys.state(name);
	}

	/** How many streams are open. */
	public int connections() {
		return this.open.size();
	}

	/** How many different keys are followed. */
	public int followedKeys() {
		return this.keys.size();
	}

	@Override
	public synchronized void start() {
		this.stopped = false;
		this.writers.start();
		this.tick = this.tasks.every("The keeping of streams", TICK, this::tick);
		this.running = true;
	}

	private void tick() {
		long now = System.nanoTime();
		this.open.forEach((connection) -> connection.tick(now));
		this.keys.sweep();
	}

	@Override
	public void stop() {
		synchronized (this) {
			this.stopped = true;
			this.running = false;
			if (this.tick != null) {
				this.tick.cancel();
			}
		}
		this.open.forEach(LiveConnection::close);
		this.tasks.close();
		this.writers.stop();
		this.keys.close();
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return Stream.concat(this.writers.stalls(longest).stream(), this.tasks.stalls(longest).stream()).toList();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public ApplicationPhase phase() {
		return ApplicationPhase.STREAMS;
	}

}
