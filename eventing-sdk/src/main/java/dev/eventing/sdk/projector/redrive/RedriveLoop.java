package dev.eventing.sdk.projector.redrive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.lease.KeptLease;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.schema.TableGuard;
import dev.eventing.sdk.schema.UnsafeTablesException;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Runs the letters of a projector that are to be redriven, also while the projector is
 * paused. Has a thread only while there are such letters. After an outage, the next call
 * of {@link RedrivePoll} continues.
 */
public final class RedriveLoop {

	private static final Logger logger = LoggerFactory.getLogger(RedriveLoop.class);

	/** How long letters that need newer code are remembered after they were met. */
	private static final Duration REMEMBERED = Duration.ofSeconds(10);

	private final ProjectorId projector;

	private final RedrivePoll poll;

	private final Right right;

	private final SupervisedWorker worker;

	private final TableGuard tables;

	private final Runnable call;

	private volatile boolean held;

	/** The problem that the log has named last. For the thread of the worker. */
	private @Nullable String refused;

	/** Why letters were left to newer code; null if none was. */
	private volatile @Nullable String newer;

	private volatile long newerMetAt;

	/** The current runner, or the last one. */
	private volatile @Nullable RedriveRunner redrives;

	/**
	 * Starts no thread yet.
	 * @param tables checked before letters run, because their order relies on numbers
	 * that grow, and on rows that no policy hides
	 */
	public RedriveLoop(ProjectorId projector, RedrivePoll poll, Right right, ThreadFactory threads, TableGuard tables) {
		this.tables = tables;
		this.projector = projector;
		this.poll = poll;
		this.right = right;
		this.worker = new SupervisedWorker(projector.thread("redrives"), threads, this::run);
		this.call = this.worker::call;
	}

	public SupervisedWorker worker() {
		return this.worker;
	}

	public void start() {
		this.worker.startOnCall();
		this.poll.add(this.projector, this.call);
	}

	/**
	 * A stall if the same letter has been running for longer than this, or the thread
	 * hangs while none runs; otherwise null.
	 */
	public @Nullable Stall stall(Duration longest) {
		RedriveRunner current = this.redrives;
		if (current != null && current.currentRun().isUnderWay()) {
			return current.currentRun().stall(this.worker, longest);
		}
		return this.worker.stalls(longest).stream().findFirst().orElse(null);
	}

	/** What else operators must know, as an addition to the state; or an empty text. */
	public String alarm() {
		String reason = this.newer;
		boolean lately = reason != null && System.nanoTime() - this.newerMetAt < REMEMBERED.toNanos();
		return lately ? "; it leaves dead letters to nodes with newer code: " + reason : "";
	}

	/** Begins no more letters until {@link #release}. */
	public void hold() {
		this.held = true;
	}

	/** Whether it runs no letters. */
	public boolean isAtRest() throws InterruptedException {
		return this.worker.join(Duration.ZERO);
	}

	/** Runs letters again, from the next call of {@link RedrivePoll} on. */
	public void release() {
		this.held = false;
	}

	/** Requests a stop, and does not wait for it. */
	public void requestStop() {
		this.poll.remove(this.projector, this.call);
		this.worker.requestStop();
	}

	/** If it ends early, the next call continues with the letters that are left. */
	private void run() throws InterruptedException {
		if (this.held) {
			return;
		}
		try {
			RedriveRunner current = this.right.runner();
			this.redrives = current;
			if (current != null) {
				redriveAll(current);
			}
		}
		catch (OwnershipLostException | DataAccessException | TransactionException ex) {
			logger.debug("Projector '{}' cannot redrive now.", this.projector, ex);
		}
		catch (UnsafeTablesException ex) {
			if (!String.valueOf(ex.getMessage()).equals(this.refused)) {
				this.refused = String.valueOf(ex.getMessage());
				logger.error("Projector '{}' redrives no letters until the operator corrects this problem: {}",
						this.projector, ex.getMessage());
			}
		}
		finally {
			this.right.giveUp();
		}
	}

	private void redriveAll(RedriveRunner redrives) throws InterruptedException {
		this.tables.require();
		this.refused = null;
		boolean more = true;
		while (more && !mustEnd()) {
			more = redriveNext(redrives);
		}
	}

	/** Returns whether letters may be left: letters ran, or others are due soon. */
	private boolean redriveNext(RedriveRunner redrives) throws InterruptedException {
		List<RedriveLetter> letters = redrives.next();
		if (letters.isEmpty()) {
			Duration pause = redrives.untilDue();
			return pause != null && !this.worker.awaitStop(pause);
		}
		this.tables.requireLately();
		NewerEventException newer = redrives.run(letters, this::mustEnd);
		this.worker.beat();
		return !waits(newer);
	}

	/** The next letters would begin with the same one, so the later ones wait too. */
	private boolean waits(@Nullable NewerEventException met) {
		String reason = (met != null) ? String.valueOf(met.getMessage()) : null;
		if (reason != null && !reason.equals(this.newer)) {
			logger.warn("Projector '{}' leaves dead letters to nodes with newer code: {}", this.projector, reason);
		}
		this.newer = reason;
		this.newerMetAt = System.nanoTime();
		return met != null;
	}

	private boolean mustEnd() {
		return this.held || this.worker.isStopping();
	}

	/**
	 * The right to run the dead letters of a projector. One node has it at a time: the
	 * projector's owner, or the holder of a separate lease if nodes compete for events.
	 * For one thread.
	 */
	public static final class Right {

		/** Null if the projector's owner has the right. */
		private final @Nullable KeptLease lease;

		private final Function<ProjectorLease, RedriveRunner> factory;

		private @Nullable ProjectorLease right;

		private @Nullable RedriveRunner runner;

		private Right(@Nullable KeptLease lease, Function<ProjectorLease, RedriveRunner> factory) {
			this.lease = lease;
			this.factory = factory;
		}

		/** Creates a right that no node has: letters wait. */
		public static Right none(Function<ProjectorLease, RedriveRunner> factory) {
			return new Right(null, factory);
		}

		/** Creates a right that ends with the ownership of the projector. */
		public static Right ofOwner(ProjectorLease owned, Function<ProjectorLease, RedriveRunner> factory) {
			Right right = new Right(null, factory);
			right.right = owned;
			return right;
		}

		/** Creates a right that the holder of the projector's redrive lease has. */
		public static Right ofLease(ProjectorId projector, Leases leases,
				Function<ProjectorLease, RedriveRunner> factory) {
			return new Right(new KeptLease(leases, projector.redriveLease()), factory);
		}

		/**
		 * Returns the runner of the letters, or null while another node has the right.
		 * @throws org.springframework.dao.DataAccessException if the lease cannot be
		 * requested
		 */
		@Nullable RedriveRunner runner() {
			ProjectorLease current = this.right;
			if (this.lease != null && (current == null || current.isOver())) {
				Lease taken = this.lease.take();
				current = (taken != null) ? ProjectorLease.of(taken) : null;
				this.right = current;
				this.runner = null;
			}
			if (current == null || current.isOver()) {
				return null;
			}
			if (this.runner == null) {
				this.runner = this.factory.apply(current);
			}
			return this.runner;
		}

		/** Releases the separate lease. An owner's right ends with the ownership. */
		void giveUp() {
			if (this.lease != null && this.right != null) {
				this.right.release();
				this.lease.release();
			}
		}

	}

}
