package dev.eventing.sdk.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.LogReader;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.store.UnreadableEventException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log on a thread of its own, one page ahead of who publishes: while a page is
 * on its way to the stream the next one comes from the database. It reads a page only
 * when asked for it, so that what it may hold is decided by whoever asks. Where there is
 * nothing to read it looks again and again, at once when it is told of an append.
 *
 * <p>
 * {@link #ask}, {@link #poll} and {@link #close} are for one thread. A page that was read
 * and not fetched is forgotten: nothing of it may count as published.
 */
final class ReadAhead implements AutoCloseable {

	private static final long SHORTEST_POLL = TimeUnit.MILLISECONDS.toNanos(1);

	private final LogReader reader;

	private final AppendSignal signal;

	private final int limit;

	private final long longestPoll;

	private final WakeUp wakeUp;

	private final Thread thread;

	/** How many bytes the page that is asked for may have. */
	private final BlockingQueue<Long> asked = new LinkedBlockingQueue<>();

	private final AtomicReference<@Nullable Reading> ready = new AtomicReference<>();

	private boolean waiting;

	/** By {@link System#nanoTime}. */
	private volatile long lookedAt = System.nanoTime();

	/** Whether events wait behind a position that may still be filled. */
	private volatile boolean blocked;

	/**
	 * Starts the thread, which ends when this is closed, or at the first error.
	 * @param wakeUp is called when there is a page or an error
	 */
	ReadAhead(RelayOptions options, LogReader reader, AppendSignal signal, WakeUp wakeUp) {
		this.reader = reader;
		this.signal = signal;
		this.limit = options.bounds().pageSize();
		this.longestPoll = options.longestPoll().toNanos();
		this.wakeUp = wakeUp;
		this.thread = new Thread(this::run, "relay-" + options.name() + "-reader");
		this.thread.start();
	}

	/**
	 * Asks for the next page, unless one is asked for and not fetched.
	 * @param maxBytes where the page ends, see {@link LogReader#next(int, long)}
	 */
	void ask(long maxBytes) {
		if (!this.waiting) {
			this.waiting = true;
			this.lookedAt = System.nanoTime();
			this.asked.add(maxBytes);
		}
	}

	/** Whether {@link #poll} has something to say. */
	boolean isReady() {
		return this.ready.get() != null;
	}

	/**
	 * The page that was asked for, or null if there is none yet. Throws what reading it
	 * threw: then there will be no other.
	 */
	@Nullable Page poll() {
		Reading reading = this.ready.get();
		if (reading instanceof Failure failure) {
			throw failure.thrown();
		}
		if (reading == null) {
			requireAlive();
			return null;
		}
		this.ready.set(null);
		this.waiting = false;
		return (Page) reading;
	}

	/** A thread that ended without a word leaves nobody to wait for. */
	private void requireAlive() {
		if (!this.thread.isAlive() && this.ready.get() == null) {
			throw new IllegalStateException("The thread that reads the log ahead ended by itself.");
		}
	}

	/**
	 * How long the page that is asked for has been read without an answer of the
	 * database; zero if none is asked for.
	 */
	Duration sinceLook() {
		return this.waiting ? Duration.ofNanos(System.nanoTime() - this.lookedAt) : Duration.ZERO;
	}

	/** Whether events wait behind a position that may still be filled. */
	boolean isBlocked() {
		return this.blocked;
	}

	private void run() {
		try {
			while (!Thread.currentThread().isInterrupted()) {
				say(read(this.asked.take()));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt(); // closed: nobody waits for a page
		}
		catch (RuntimeException ex) {
			say(new Failure(ex));
		}
		catch (Throwable ex) { // who waits must hear of it
			say(new Failure(new IllegalStateException("The log cannot be read: " + ex, ex)));
		}
	}

	private void say(Reading reading) {
		this.ready.set(reading);
		this.wakeUp.call();
	}

	/** Waits for events, however long it takes. */
	private Page read(long maxBytes) throws InterruptedException {
		long poll = SHORTEST_POLL;
		while (true) {
			long seen = this.signal.count();
			long before = this.reader.position();
			Page page = next(maxBytes);
			this.lookedAt = System.nanoTime();
			this.blocked = this.reader.isBlocked();
			if (page.end() > before) {
				return page;
			}
			if (this.blocked) {
				this.signal.awaitAtHole(seen, Duration.ofNanos(poll));
			}
			else {
				this.signal.await(seen, Duration.ofNanos(poll));
			}
			poll = Math.min(this.longestPoll, 2 * poll);
		}
	}

	/** An event that cannot be read is a page of its own. */
	private Page next(long maxBytes) {
		try {
			List<StoredEvent> events = this.reader.next(this.limit, maxBytes);
			return new Page(events, this.reader.position(), null);
		}
		catch (UnreadableEventException ex) {
			this.reader.passOver(ex);
			return new Page(List.of(), this.reader.position(), ex);
		}
	}

	/** Ends the thread and waits for that, as long as the database keeps it. */
	@Override
	public void close() {
		this.thread.interrupt();
		boolean interrupted = false;
		while (this.thread.isAlive()) {
			try {
				this.thread.join();
			}
			catch (InterruptedException ex) {
				interrupted = true; // two must never read for one relay
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** What came of reading. */
	private sealed interface Reading {

	}

	/**
	 * A page of the log.
	 *
	 * @param events in the order of positions; may be empty
	 * @param end up to where all was read
	 * @param unreadable the event at the end that cannot be read, or null
	 */
	record Page(List<StoredEvent> events, long end, @Nullable UnreadableEventException unreadable) implements Reading {
	}

	private record Failure(RuntimeException thrown) implements Reading {
	}

}
