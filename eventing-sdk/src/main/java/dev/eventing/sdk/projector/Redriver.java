package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.deadletter.RedriveLetter;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Looks for letters of a projector that are to be redriven, and runs them, on a thread of
 * its own; also while the projector is paused. Outlives every outage.
 */
final class Redriver {

	private static final Logger logger = LoggerFactory.getLogger(Redriver.class);

	private final String projector;

	private final RedrivePoll poll;

	private final RedriveRight right;

	private final SupervisedWorker worker;

	Redriver(String projector, RedrivePoll poll, RedriveRight right, ProjectorThreads threads) {
		this.projector = projector;
		this.poll = poll;
		this.right = right;
		this.worker = new SupervisedWorker(projector + "-redrives", threads.lanes(), this::run);
	}

	SupervisedWorker worker() {
		return this.worker;
	}

	private void run() throws InterruptedException {
		try {
			while (!this.worker.awaitStop(RedrivePoll.INTERVAL)) {
				look();
				this.worker.beat();
			}
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
	}

	private void redriveAll(Redrives redrives) throws InterruptedException {
		redrives.requestDue();
		List<RedriveLetter> letters = redrives.next();
		while (!letters.isEmpty() && !this.worker.isStopping()) {
			this.worker.beat();
			long began = System.nanoTime();
			redrives.run(letters);
			keepTo(letters.get(0).ratePerSecond(), letters.size(), began);
			letters = redrives.next();
		}
	}

	private void keepTo(@Nullable Integer ratePerSecond, int letters, long began) throws InterruptedException {
		if (ratePerSecond != null) {
			long due = began + TimeUnit.SECONDS.toNanos(letters) / ratePerSecond;
			if (this.worker.awaitStop(Duration.ofNanos(due - System.nanoTime()))) {
				logger.debug("Redrives of projector '{}' stop.", this.projector);
			}
		}
	}

}
