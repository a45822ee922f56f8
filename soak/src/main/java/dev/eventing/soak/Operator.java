package dev.eventing.soak;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.soak.judge.StallJudge;
import dev.eventing.soak.node.Projected;
import org.jspecify.annotations.Nullable;

/**
 * An operator who pauses and resumes projectors, and has a read model rebuilt beside the
 * live one, switched, rolled back and retired, while things go wrong. The same seed makes
 * the same choices; what there is to choose depends on the generations there are.
 */
final class Operator {

	/** How long a request may wait. After that no node takes it. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final String REBUILT = Projected.STORE_REBUILT.projector();

	private static final List<Projected> PROJECTORS = List.of(Projected.values());

	private static final String REASON = "of the soak";

	private static final String ACTOR = "operator";

	private final Projectors projectors;

	private final Projections projections;

	private final StallJudge judge;

	private final Log log;

	private final Random random;

	private final Map<String, Integer> done = new TreeMap<>();

	/** The number of the last request that has ended. */
	private long ended;

	private final CountDownLatch stopping = new CountDownLatch(1);

	private final Thread thread = new Thread(this::run, "operator");

	Operator(Servers servers, StallJudge judge, Log log, long seed) {
		this.projectors = servers.operators().projectors();
		this.projections = servers.operators().projections();
		this.judge = judge;
		this.log = log;
		this.random = new Random(seed);
	}

	void start() {
		this.thread.start();
	}

	/** Ends what has begun: nothing is paused or requested afterwards. */
	void stop() throws InterruptedException {
		this.stopping.countDown();
		this.thread.join();
	}

	/** How often each was done, or came to what. Once stopped. */
	Map<String, Integer> done() {
		return this.done;
	}

	private void run() {
		try {
			while (!isStopping(1000 + this.random.nextInt(5000))) {
				if (this.random.nextInt(3) == 0) {
					pause(PROJECTORS.get(this.random.nextInt(PROJECTORS.size())).projector(),
							500 + this.random.nextInt(4500));
				}
				else {
					request(this.random.nextInt(4));
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean isStopping(long millis) throws InterruptedException {
		return this.stopping.await(millis, TimeUnit.MILLISECONDS);
	}

	private void pause(String projector, long millis) throws InterruptedException {
		this.judge.holdsUp(projector);
		if (tryTo("PAUSE", () -> this.projectors.pause(projector, ACTOR, REASON))) {
			this.log.line("operator: '" + projector + "' is paused for " + millis + " ms");
			isStopping(millis);
		}
		// Also where the answer to the pause was lost.
		while (!tryTo("RESUME", () -> this.projectors.resume(projector, ACTOR, REASON))) {
			TimeUnit.MILLISECONDS.sleep(500);
		}
		this.judge.letsGoOn(projector);
	}

	private void request(int dice) throws InterruptedException {
		Optional<ProjectionGeneration> beside;
		try {
			beside = beside();
		}
		catch (RuntimeException ex) {
			count("LOOK NOT NOW");
			return;
		}
		if (beside.isEmpty()) {
			await("BUILD", () -> this.projections.rebuildBeside(REBUILT, ACTOR, REASON, PATIENCE));
		}
		else if (beside.get().status() != ProjectionGeneration.Status.BUILDING || dice == 0) {
			change(beside.get(), dice);
		}
	}

	private void change(ProjectionGeneration beside, int dice) throws InterruptedException {
		boolean canSwitch = beside.status() == ProjectionGeneration.Status.READY
				|| beside.status() == ProjectionGeneration.Status.STANDBY;
		if (!canSwitch || dice == 0) {
			await("RETIRE", () -> this.projections.retire(REBUILT, beside.generation(), ACTOR, REASON, PATIENCE));
			return;
		}
		this.judge.holdsUp(REBUILT);
		await(beside.status().wasLive() ? "ROLL BACK" : "SWITCH",
				() -> this.projections.switchTo(REBUILT, beside.generation(), ACTOR, REASON, PATIENCE));
		this.judge.letsGoOn(REBUILT);
	}

	/** The generation beside the live one, if there is one. */
	Optional<ProjectionGeneration> beside() {
		return this.projections.generations(REBUILT)
			.stream()
			.filter((generation) -> generation.status().isBeside())
			.findFirst();
	}

	/**
	 * Requests it, and waits until it is done, refused or expired; also where the answer
	 * to the request was lost.
	 */
	private void await(String what, Runnable request) throws InterruptedException {
		if (!tryTo(what, request)) {
			this.log.line("operator: " + what + " cannot be requested now");
		}
		ProjectionRequest last = lastRequest();
		while (last != null && isWaiting(last)) {
			TimeUnit.MILLISECONDS.sleep(200);
			last = lastRequest();
		}
		if (last != null && last.id() != this.ended) {
			this.ended = last.id();
			String outcome = last.what().action() + " " + last.state().status();
			count(outcome);
			this.log.line("operator: " + outcome + ", " + last.state().detail());
		}
	}

	/** Asked again while the database is away. */
	private @Nullable ProjectionRequest lastRequest() throws InterruptedException {
		while (true) {
			try {
				return this.projections.lastRequest(REBUILT).orElse(null);
			}
			catch (RuntimeException ex) {
				TimeUnit.MILLISECONDS.sleep(500);
			}
		}
	}

	private static boolean isWaiting(ProjectionRequest request) {
		return request.state().status().isOpen();
	}

	private boolean tryTo(String what, Runnable action) {
		try {
			action.run();
			count(what);
			return true;
		}
		catch (RuntimeException ex) {
			count(what + " NOT NOW");
			return false;
		}
	}

	private void count(String what) {
		this.done.merge(what, 1, Integer::sum);
	}

	/** The faults of the generations in the end. */
	List<String> complaints() {
		return beside().filter((generation) -> generation.failure() != null)
			.map((generation) -> List.of("generation " + generation.generation() + " of '" + REBUILT
					+ "' cannot go on: " + generation.failure()))
			.orElse(List.of());
	}

}
