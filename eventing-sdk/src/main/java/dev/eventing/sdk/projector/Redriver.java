package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.deadletter.RedriveLetter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Looks for letters of a projector that are to be redriven, and runs them, on a thread of
 * its own; also while the projector is paused. Outlives every outage.
 */
final class Redriver implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Redriver.class);

	private final String projector;

	private final RedrivePoll poll;

	private final RedriveRight right;

	private final CountDownLatch stopping = new CountDownLatch(1);

	private final Thread thread;

	Redriver(String projector, RedrivePoll poll, RedriveRight right, ProjectorThreads threads) {
		this.projector = projector;
		this.poll = poll;
		this.right = right;
		this.thread = threads.lanes().newThread(this);
		this.thread.setName(projector + "-redrives");
	}

	void start() {
		this.thread.start();
	}

	/** Begins nothing more; what is under way comes to its end. */
	void stop() {
		this.stopping.countDown();
	}

	void interrupt() {
		this.thread.interrupt();
	}

	/** Waits for the end; returns whether it came in time. */
	boolean join(Duration wait) throws InterruptedException {
		this.thread.join(Math.max(1, wait.toMillis()));
		return !this.thread.isAlive();
	}

	@Override
	public void run() {
		try {
			while (!this.stopping.await(RedrivePoll.INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
				look();
			}
		}
		catch (InterruptedException ex) {
			logger.debug("Redrives of projector '{}' are interrupted.", this.projector);
		}
		finally {
			this.poll.forget(this.projector);
			this.right.giveUp();
		}
	}

	private void look() throws InterruptedException {
		try {
			Redrives redrives = this.right.redrives();
			if (redrives != null && this.poll.hasWork(this.projector)) {
				redriveAll(redrives);
			}
		}
		catch (OwnershipLostException | DataAccessException | TransactionException ex) {
			logger.debug("Projector '{}' cannot redrive now.", this.projector, ex);
		}
		catch (RuntimeException ex) {
			// the message may quote an event
			logger.error("Projector '{}' cannot redrive: {}. The letters stay to be redriven; it is tried again.",
					this.projector, ex.getClass().getName());
			logger.debug("What kept projector '{}' from redriving.", this.projector, ex);
		}
	}

	private void redriveAll(Redrives redrives) throws InterruptedException {
		redrives.requestDue();
		List<RedriveLetter> letters = redrives.next();
		while (!letters.isEmpty() && this.stopping.getCount() > 0) {
			long began = System.nanoTime();
			redrives.run(letters);
			keepTo(letters.get(0).ratePerSecond(), letters.size(), began);
			letters = redrives.next();
		}
	}

	private void keepTo(@Nullable Integer ratePerSecond, int letters, long began) throws InterruptedException {
		if (ratePerSecond != null) {
			long due = began + TimeUnit.SECONDS.toNanos(letters) / ratePerSecond;
			if (this.stopping.await(due - System.nanoTime(), TimeUnit.NANOSECONDS)) {
				logger.debug("Redrives of projector '{}' stop.", this.projector);
			}
		}
	}

}
