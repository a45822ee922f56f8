package dev.eventing.soak;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import dev.eventing.soak.node.Moved;
import dev.eventing.soak.node.Moved.Mood;
import org.jspecify.annotations.Nullable;

/**
 * Sends events of some accounts at a bounded rate, each account's in order. An event
 * whose fate is unknown is sent again until it is known. One thread, until it is stopped.
 */
final class Load {

	/** The account whose events cannot be applied until what is wrong is mended. */
	private static final int POISONED = 0;

	private static final String FRESH = "fresh";

	private static final int POISON_EVERY = 40;

	private static final int FLAKY_EVERY = 60;

	private static final long RETRY_MILLIS = 100;

	private final Way way;

	private final String prefix;

	private final int accounts;

	private final int perSecond;

	private final Random random;

	private final Map<String, Long> versions = new TreeMap<>();

	private final AtomicLong sent = new AtomicLong();

	private final AtomicReference<@Nullable CompletableFuture<Moved>> wanted = new AtomicReference<>();

	private final Thread thread;

	private volatile boolean stopped;

	/**
	 * Begins to send.
	 * @param prefix before the accounts' numbers
	 */
	Load(Way way, String prefix, int accounts, int perSecond, long seed) {
		this.way = way;
		this.prefix = prefix;
		this.accounts = accounts;
		this.perSecond = perSecond;
		this.random = new Random(seed);
		this.thread = new Thread(this::run, "load-" + prefix);
		this.thread.start();
	}

	/**
	 * Makes the next event belong to a separate account, none of whose events fail.
	 * @return the event, once it is known to be committed or confirmed
	 */
	Future<Moved> fresh() {
		CompletableFuture<Moved> next = new CompletableFuture<>();
		this.wanted.set(next);
		return next;
	}

	/** How many events are known to be committed or confirmed. */
	long sent() {
		return this.sent.get();
	}

	/** The accounts with their last versions; once stopped. */
	Map<String, Long> versions() {
		return new TreeMap<>(this.versions);
	}

	private void run() {
		long next = System.nanoTime();
		while (!this.stopped) {
			send();
			next = Math.max(next + TimeUnit.SECONDS.toNanos(1) / this.perSecond,
					System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
			while (!this.stopped && System.nanoTime() < next) {
				LockSupport.parkNanos(next - System.nanoTime());
			}
		}
	}

	private void send() {
		int number = this.random.nextInt(this.accounts);
		CompletableFuture<Moved> fresh = this.wanted.getAndSet(null);
		String account = this.prefix + "-" + ((fresh != null) ? FRESH : number);
		long version = this.versions.getOrDefault(account, 0L) + 1;
		// The dice are thrown for it as well, so that the others stay as they are.
		Mood mood = mood(number, version);
		Moved event = new Moved(account, version, (fresh != null) ? Mood.PLAIN : mood);
		Runnable attempt = this.way.attempt(event);
		while (!isSent(attempt)) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
		}
		this.versions.put(account, version);
		this.sent.incrementAndGet();
		if (fresh != null) {
			fresh.complete(event);
		}
	}

	/** Once it is stopped the servers are well, so the event's fate is soon known. */
	private boolean isSent(Runnable attempt) {
		try {
			attempt.run();
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private Mood mood(int number, long version) {
		boolean flaky = this.random.nextInt(FLAKY_EVERY) == 0;
		if (number == POISONED) {
			return (version % POISON_EVERY == 1) ? Mood.POISON : Mood.PLAIN;
		}
		return flaky ? Mood.FLAKY : Mood.PLAIN;
	}

	/** Waits until the fate of the last event is known. */
	void stop() throws InterruptedException {
		this.stopped = true;
		this.thread.join(TimeUnit.SECONDS.toMillis(60));
		if (this.thread.isAlive()) {
			throw new IllegalStateException("The load '" + this.prefix + "' cannot send its last event.");
		}
	}

	/** How an event gets out. */
	interface Way {

		/**
		 * Sends this event when it is run, and may be run again: it throws unless the
		 * event is out, whichever run it was.
		 */
		Runnable attempt(Moved event);

	}

}
