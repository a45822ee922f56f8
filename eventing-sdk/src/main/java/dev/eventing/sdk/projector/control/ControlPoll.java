package dev.eventing.sdk.projector.control;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projection.ledger.ControlLedger;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.Watched;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Looks once a second what operators decided about the projectors of this node, and what
 * they requested. While a request makes progress, or generations are compared, it looks
 * ten times a second: a switch has several steps, each of which another node may do, and
 * writers or readers may wait for them. One query serves all projectors. During an outage
 * of the database what was known stays. Thread-safe.
 */
public final class ControlPoll implements Watched, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ControlPoll.class);

	/** The log warns after as many failures in a row. */
	private static final int PERSISTENT = 3;

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	/** While a request makes progress. */
	private static final Duration SHORT_INTERVAL = Duration.ofMillis(100);

	/** A request without a change for this time has made no progress. */
	private static final Duration PROGRESS = Duration.ofSeconds(10);

	private final ControlLedger ledger;

	private final Set<PauseSwitch> switches = ConcurrentHashMap.newKeySet();

	/** Called after each look. */
	private volatile Consumer<ControlLedger.Decisions> onLook = (decisions) -> {
	};

	/** The projectors of which the next look also looks for letters to redrive. */
	private volatile Supplier<Set<ProjectorId>> redriving = Set::of;

	/** Called with the projectors that have letters. */
	private volatile Consumer<Set<ProjectorId>> onLetters = (projectors) -> {
	};

	/** Numbers answers; see {@link PauseSwitch#set}. */
	private final AtomicLong numbers = new AtomicLong();

	/** In a row. For the thread that looks. */
	private int failures;

	/**
	 * The decisions at the last look; null before the first. For the thread that looks.
	 */
	private ControlLedger.@Nullable Decisions seen;

	/** When that last changed, in terms of {@link System#nanoTime()}. */
	private long changedAt;

	private final SupervisedWorker worker = SupervisedWorker.daemon("eventing-projector-controls", this::run);

	/** Sends no query yet. */
	public ControlPoll(ControlLedger ledger) {
		this.ledger = ledger;
	}

	/** A switch for a projector of this node, which follows no changes yet. */
	public PauseSwitch switchOf(ProjectorId projector) {
		return new PauseSwitch(projector, this.ledger, this.numbers, this.switches, this.worker);
	}

	/** Sets a listener that is called after each look. It must return at once. */
	public void onLook(Consumer<ControlLedger.Decisions> listener) {
		this.onLook = listener;
	}

	/**
	 * Has looks also look for letters to redrive.
	 * @param projectors supplies the projectors to ask for with the next look; with none
	 * there is no answer
	 * @param answer called after the look with those that have such letters; must return
	 * at once
	 */
	public void alsoLookForLetters(Supplier<Set<ProjectorId>> projectors, Consumer<Set<ProjectorId>> answer) {
		this.redriving = projectors;
		this.onLetters = answer;
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.worker.stalls(longest);
	}

	private void run() throws InterruptedException {
		while (!this.worker.awaitStop(interval())) {
			if (!this.switches.isEmpty()) {
				ask();
			}
			this.worker.beat();
		}
	}

	private Duration interval() {
		boolean progress = this.seen != null && !this.seen.requested().isEmpty()
				&& System.nanoTime() - this.changedAt < PROGRESS.toNanos();
		boolean compared = this.seen != null && !this.seen.ceilings().isEmpty();
		return (progress || compared) ? SHORT_INTERVAL : INTERVAL;
	}

	/** A hold is no progress: a switch that cannot be made holds again and again. */
	private void see(ControlLedger.Decisions decisions) {
		ControlLedger.Decisions before = this.seen;
		this.seen = decisions;
		if (before == null || !before.requested().equals(decisions.requested())
				|| !before.beside().equals(decisions.beside())) {
			this.changedAt = System.nanoTime();
		}
	}

	private void ask() {
		long number = this.numbers.incrementAndGet();
		try {
			Set<ProjectorId> redriving = this.redriving.get();
			ControlLedger.Decisions decisions = this.ledger.decisions(redriving);
			see(decisions);
			this.switches.forEach((each) -> tell(each, decisions, number));
			this.onLook.accept(decisions);
			if (!redriving.isEmpty()) {
				this.onLetters.accept(decisions.toRedrive());
			}
			if (this.failures >= PERSISTENT) {
				logger.info("What operators decide about projectors can be looked up again.");
			}
			this.failures = 0;
		}
		catch (DataAccessException ex) {
			this.failures++;
			logger.debug("What operators decided about projectors cannot be looked up now.", ex);
			if (this.failures == PERSISTENT) {
				logger.warn("What operators decide about projectors cannot be looked up: {}. It is tried again every"
						+ " second. Until then they go on as last decided.", DatabaseFailure.describe(ex));
			}
		}
	}

	private static void tell(PauseSwitch each, ControlLedger.Decisions decisions, long number) {
		String name = each.projector().base();
		each.resumed(decisions.resumed().get(name));
		each.set(decisions.pauses().get(name), number);
		each.requested(decisions.requested().get(name), decisions.holds().get(name));
		each.limited(decisions.ceilings().get(name));
	}

	/** Stops, and does not wait for a query that is running. */
	@Override
	public void close() {
		this.worker.interrupt();
	}

}
