package dev.eventing.sdk.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;

import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.LogPolls;
import dev.eventing.sdk.store.LogReader;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.store.UnreadableEventException;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.Watched;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log on a separate thread, one page ahead of the publisher: while a page is
 * being published, the next one is read from the database. Reads a page only on request,
 * so the publisher limits the memory. If there is nothing to read it polls, and reads
 * immediately after a signal of an append.
 *
 * <p>
 * {@link #ask}, {@link #poll} and {@link #close} are for one thread. A page that was read
 * and not fetched is dropped; none of its events counts as published.
 */
final class ReadAhead implements Watched, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ReadAhead.class);

	private static final Duration ENDS_WITHIN = Duration.ofMinutes(1);

	private final LogReader reader;

	private final LogPolls polls;

	private final int limit;

	private final WakeUp wakeUp;

	private final SupervisedWorker worker;

	/** The requested page, as the maximum number of its bytes. */
	private final BlockingQueue<Long> asked = new LinkedBlockingQueue<>();

	private final AtomicReference<@Nullable Reading> ready = new AtomicReference<>();

	private boolean waiting;

	/** By {@link System#nanoTime}. */
	private volatile long lookedAt = System.nanoTime();

	/** When the running query began, by {@link System#nanoTime}; 0 if none runs. */
	private volatile long askedAt;

	/** Whether events wait at a hole that may still be filled. */
	private volatile boolean blocked;

	/** Whether the last look found nothing further. */
	private volatile boolean atEnd;

	/**
	 * Starts the thread, which ends when this is closed, or at the first error.
	 * @param wakeUp called when there is a page or an error
	 */
	ReadAhead(RelayOptions options, LogReader reader, AppendSignal signal, WakeUp wakeUp) {
		this.reader = reader;
		this.polls = new LogPolls(signal, options.longestPoll());
		this.limit = options.bounds().pageSize();
		this.wakeUp = wakeUp;
		this.worker = SupervisedWorker.of("relay-" + options.name() + "-reader", this::run);
		this.worker.start();
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.worker.stalls(longest);
	}

	/**
	 * Requests the next page, unless one was requested and not fetched.
	 * @param maxBytes where the page ends, see {@link LogReader#next(int, long)}
	 */
	void ask(long maxBytes) {
		if (!this.waiting) {
			this.waiting = true;
			this.lookedAt = System.nanoTime();
			this.asked.add(maxBytes);
		}
	}

	/** Whether {@link #poll} returns a page or throws. */
	boolean isReady() {
		return this.ready.get() != null;
	}

	/**
	 * The requested page, or null if it is not read yet. Throws the error of reading, an
	 * {@link Error} too; then no further page will come.
	 */
	@Nullable Page poll() {
		Reading reading = this.ready.get();
		if (reading instanceof Failure failure) {
			throw failure.rethrown();
		}
		if (reading == null) {
			requireAlive();
			return null;
		}
		this.ready.set(null);
		this.waiting = false;
		return (Page) reading;
	}

	/**
	 * Fails if the thread has ended without a result, so that no caller waits for it: the
	 * request is lost.
	 */
	private void requireAlive() {
		WorkerFailure failure = this.worker.failure();
		if (failure != null && this.ready.get() == null) {
			throw new IllegalStateException(failure.describe());
		}
	}

	/**
	 * How long the read of the requested page has waited for an answer of the database;
	 * zero if no page is requested.
	 */
	Duration sinceLook() {
		return this.waiting ? Duration.ofNanos(System.nanoTime() - this.lookedAt) : Duration.ZERO;
	}

	/** How long the running query has waited for an answer. For any thread. */
	Duration silentFor() {
		long since = this.askedAt;
		return (since != 0) ? Duration.ofNanos(System.nanoTime() - since) : Duration.ZERO;
	}

	/** Whether events wait at a hole that may still be filled. */
	boolean isBlocked() {
		return this.blocked;
	}

	/** Whether the last look found no further event. */
	boolean isAtEnd() {
		return this.atEnd;
	}

	/** Reads pages until the first error, which {@link #poll} throws. */
	private void run() throws InterruptedException {
		try {
			while (!this.worker.isStopping()) {
				complete(read(this.worker.rest(this.asked::take)));
				this.worker.beat();
			}
		}
		catch (RuntimeException | Error ex) {
			complete(new Failure(ex));
		}
	}

	private void complete(Reading reading) {
		this.ready.set(reading);
		this.wakeUp.call();
	}

	/** Returns the next page. Waits for events as long as there are none. */
	private Page read(long maxBytes) throws InterruptedException {
		if (this.polls.isInVain(this.reader.isAtEnd())) {
			this.worker.rest(() -> this.polls.await(false));
		}
		while (true) {
			this.polls.look();
			long before = this.reader.position();
			this.askedAt = System.nanoTime();
			Page page = next(maxBytes);
			this.askedAt = 0;
			this.lookedAt = System.nanoTime();
			this.blocked = this.reader.isBlocked();
			this.atEnd = page.end() <= before && !this.blocked;
			if (page.end() > before) {
				this.polls.found();
				return page;
			}
			this.worker.rest(() -> this.polls.await(this.blocked));
		}
	}

	/** An event that cannot be read is a separate page. */
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

	/**
	 * Stops the thread and waits for its end, which may have to wait for the database. A
	 * thread that hangs longer than a statement may is left behind: no caller gets what
	 * it reads.
	 */
	@Override
	public void close() {
		this.worker.interrupt();
		long end = System.nanoTime() + ENDS_WITHIN.toNanos();
		boolean interrupted = false;
		boolean ended = false;
		while (!ended && System.nanoTime() - end < 0) {
			try {
				ended = this.worker.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
			}
			catch (InterruptedException ex) {
				interrupted = true; // the next one must not read beside it
			}
		}
		if (!ended) {
			logger.error("'{}' does not end, and is not waited for. Its thread is at: {}", this.worker.name(),
					this.worker.stack());
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** The result of a read. */
	private sealed interface Reading {

	}

	/**
	 * A page of the log.
	 *
	 * @param events in the order of positions; may be empty
	 * @param end the position up to which the log was read
	 * @param unreadable the event at the end that cannot be read, or null
	 */
	record Page(List<StoredEvent> events, long end, @Nullable UnreadableEventException unreadable) implements Reading {
	}

	private record Failure(Throwable thrown) implements Reading {

		/** Throws an error; returns an exception. */
		RuntimeException rethrown() {
			if (this.thrown instanceof Error error) {
				throw error;
			}
			return (RuntimeException) this.thrown;
		}

	}

}
