package dev.eventing.soak;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.soak.fault.FaultKind;
import dev.eventing.soak.fault.Faults;
import dev.eventing.soak.fault.Plan;
import dev.eventing.soak.fault.Step;
import dev.eventing.soak.judge.StallJudge;

/** Carries out a plan, on the caller's thread, and leaves nothing broken behind. */
final class Chaos {

	private static final int MOST_FAILURES = 60;

	private static final int BETWEEN_ATTEMPTS_MILLIS = 500;

	private final Plan plan;

	private final Faults faults;

	private final StallJudge judge;

	private final RecoveryMeter meter;

	private final Log log;

	private final Map<String, Integer> done = new TreeMap<>();

	private final Map<String, Integer> undone = new TreeMap<>();

	private final CountDownLatch never = new CountDownLatch(1);

	Chaos(Plan plan, Faults faults, StallJudge judge, RecoveryMeter meter, Log log) {
		this.plan = plan;
		this.faults = faults;
		this.judge = judge;
		this.meter = meter;
		this.log = log;
	}

	/** Makes things go wrong until the time is over. */
	void run(long millis) throws InterruptedException {
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		Deque<Step> begun = new ArrayDeque<>();
		while (System.nanoTime() < end) {
			Step step = this.plan.next();
			boolean alone = begun.isEmpty() && !step.overlapping();
			if (begin(step) && alone && step.kind() == FaultKind.OWNER_KILLED) {
				this.meter.ownerKilled();
			}
			begun.add(step);
			if (step.overlapping()) {
				// The next one begins in the middle of it.
				pause(step.millis() / 2);
				continue;
			}
			pause(step.millis());
			endAll(begun);
			this.meter.await();
			pause(Math.min(step.calm(), TimeUnit.NANOSECONDS.toMillis(Math.max(0, end - System.nanoTime()))));
		}
		endAll(begun);
	}

	/** How often each kind was done, and how often it could not be. */
	Map<String, Integer> done() {
		return this.done;
	}

	Map<String, Integer> undone() {
		return this.undone;
	}

	/** Tells whether it could be done. */
	private boolean begin(Step step) {
		String kind = step.kind().name();
		this.log.line("begin " + kind + " node " + step.node() + " for " + step.millis() + " ms"
				+ (step.overlapping() ? ", overlapping" : ""));
		this.judge.faultBegins(kind);
		try {
			this.faults.begin(step);
			this.done.merge(kind, 1, Integer::sum);
			return true;
		}
		catch (Exception ex) {
			this.undone.merge(kind, 1, Integer::sum);
			this.log.line(kind + " cannot be done now: " + ex);
			return false;
		}
	}

	/**
	 * Ends faults in their order. One that cannot be ended, because another is in its
	 * way, is tried again after that one: nothing stays broken.
	 */
	private void endAll(Deque<Step> begun) throws InterruptedException {
		int failures = 0;
		while (!begun.isEmpty()) {
			Step step = begun.remove();
			try {
				this.faults.end(step);
				this.log.line("end " + step.kind());
				this.judge.faultEnds(System.nanoTime());
			}
			catch (Exception ex) {
				this.log.line(step.kind() + " cannot be ended: " + ex);
				if (++failures == MOST_FAILURES) {
					throw new IllegalStateException(step.kind() + " cannot be ended.", ex);
				}
				begun.add(step);
				pause(BETWEEN_ATTEMPTS_MILLIS);
			}
		}
	}

	private void pause(long millis) throws InterruptedException {
		if (this.never.await(millis, TimeUnit.MILLISECONDS)) {
			throw new IllegalStateException("nobody counts down");
		}
	}

}
