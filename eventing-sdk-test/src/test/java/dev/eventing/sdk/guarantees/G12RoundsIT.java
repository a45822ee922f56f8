package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.guarantees.G12GenerationsIT.Switched;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ledger.InlineRow;
import dev.eventing.sdk.test.timing.Patience;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G12: whenever an inline projector says that it has all events, it has them: while nodes
 * append that run its handlers, and one that does not, and while operators demote it,
 * fill generations, switch, roll back and retire, and its owners change.
 */
@Tag("crash")
class G12RoundsIT extends InlineSetup {

	private static final int ROUNDS = Integer.getInteger("inline.rounds", 25);

	private static final int WRITERS = 4;

	private final long seed = Long.getLong("inline.seed", System.nanoTime());

	private final AtomicBoolean enough = new AtomicBoolean();

	private final AtomicLong longest = new AtomicLong();

	private final List<String> problems = new CopyOnWriteArrayList<>();

	private int switches;

	@Test
	void hasAllEventsWheneverItSaysSo() {
		System.out.println("inline.seed=" + this.seed);
		List<AnnotationConfigApplicationContext> nodes = List.of(startInline(new Switched()), standby(new Switched()));
		ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
		List<CompletableFuture<Void>> work = new ArrayList<>();
		work.add(CompletableFuture.runAsync(this::compare, threads));
		for (int writer = 0; writer < WRITERS; writer++) {
			int number = writer;
			work.add(CompletableFuture.runAsync(() -> write((number == 0) ? null : nodes.get(number % 2), number),
					threads));
		}
		try {
			Random random = new Random(this.seed);
			for (int round = 0; round < ROUNDS && this.problems.isEmpty(); round++) {
				change(random);
			}
		}
		finally {
			this.enough.set(true);
			threads.shutdown();
		}
		CompletableFuture.allOf(work.toArray(CompletableFuture[]::new)).join();
		assertThat(this.problems).isEmpty();
		this.inline.promote(Accounts.PROJECTOR, "anna", null);
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
		System.out.printf("%d rounds, %d switches, %d turns, %d events, longest append %d ms%n", ROUNDS, this.switches,
				row().turn(), this.world.count("select count(*) from eventing.events"), this.longest.get());
		assertThat(this.switches).isPositive();
	}

	/** One statement sees the status, the events and the read model at one moment. */
	private void compare() {
		while (!this.enough.get()) {
			this.problems.addAll(this.world.jdbc()
				.queryForList("""
						select e.stream_id || ' has ' || e.events || ' events, and version ' || coalesce(a.version, 0)
						  from (select stream_id, count(*) as events from eventing.events group by stream_id) e
						  left join account a on '%s-' || a.account = e.stream_id
						 where a.version is distinct from e.events
						   and exists (select from eventing.projection_inline where mode = 'INLINE')
						   and not exists (select from eventing.projection_skips)""".formatted(this.world.root()),
						String.class));
			pause(Duration.ofMillis(20));
		}
	}

	/** Null is the node that does not know the projector, which appends seldom. */
	private void write(@Nullable AnnotationConfigApplicationContext node, int writer) {
		Random own = new Random(this.seed + writer);
		while (!this.enough.get()) {
			appendAtRandom(node, own, this.longest);
			pause(Duration.ofMillis((node != null) ? 20 : 300));
		}
	}

	/** Waits until the change shows, so that appends meet each state. */
	private void change(Random random) {
		switch (random.nextInt(6)) {
			case 0 -> {
				this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
				await().until(() -> !row().isInline());
			}
			case 1 -> {
				this.inline.promote(Accounts.PROJECTOR, "anna", null);
				await().until(() -> row().isInline());
			}
			case 2 -> this.world.takeLease("projector/" + Accounts.PROJECTOR);
			default -> operate(random);
		}
	}

	/**
	 * Fills a generation if there is none beside the live one. Else switches to it, or
	 * retires it.
	 */
	private void operate(Random random) {
		ProjectionGeneration beside = this.operators.generations(Accounts.PROJECTOR)
			.stream()
			.filter((each) -> each.status() != ProjectionGeneration.Status.LIVE
					&& each.status() != ProjectionGeneration.Status.RETIRED)
			.findFirst()
			.orElse(null);
		if (beside == null) {
			this.operators.rebuildBeside(Accounts.PROJECTOR, "anna", REASON, Patience.LONG);
		}
		else if (isFed(beside) && random.nextInt(3) > 0) {
			this.operators.switchTo(Accounts.PROJECTOR, beside.generation(), "anna", REASON, Patience.LONG);
		}
		else {
			this.operators.retire(Accounts.PROJECTOR, beside.generation(), "anna", REASON, Patience.LONG);
		}
		// a build reads all events of all rounds
		await().atMost(Patience.PROCESS)
			.until(() -> status() != ProjectionRequest.Status.PENDING && this.operators.generations(Accounts.PROJECTOR)
				.stream()
				.noneMatch((each) -> each.status() == ProjectionGeneration.Status.BUILDING));
		ProjectionRequest last = this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow();
		if (last.what().action() == ProjectionRequest.Action.SWITCH && status() == ProjectionRequest.Status.DONE) {
			this.switches++;
		}
	}

	private static boolean isFed(ProjectionGeneration generation) {
		return Set.of(ProjectionGeneration.Status.READY, ProjectionGeneration.Status.STANDBY)
			.contains(generation.status());
	}

	private InlineRow row() {
		return this.ledger.find().orElseThrow();
	}

}
