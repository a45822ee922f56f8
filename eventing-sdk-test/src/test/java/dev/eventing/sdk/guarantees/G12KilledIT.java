package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.VersionConflictException;
import dev.eventing.sdk.test.timing.Patience;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.TransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G12: wherever the owner of an inline projector dies, while it turns, heals or leaves,
 * the read model ends with all events. Appends continue meanwhile: on a node that runs
 * the handlers, and on one that does not know them.
 */
@Tag("crash")
class G12KilledIT extends InlineSetup {

	private static final int KILLS = 20;

	private static final int WRITERS = 4;

	/** The longest time between the start of a process and its end, in ms. */
	private static final int LONGEST = 1500;

	@RegisterExtension
	final ProjectorProcess owner = ProjectorProcess.of(Inline.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final AtomicBoolean enough = new AtomicBoolean();

	@Test
	void hasAllEventsHoweverOftenItsOwnerIsKilled() {
		System.out.println("crash.seed=" + this.seed);
		this.owner.start(this.world);
		await().atMost(Patience.PROCESS).until(() -> inlineStatus() == InlineStatus.INLINE);
		AnnotationConfigApplicationContext node = start(new Inline());
		node.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
		List<CompletableFuture<Void>> writers = new ArrayList<>();
		for (int writer = 0; writer < WRITERS; writer++) {
			int number = writer;
			writers.add(CompletableFuture.runAsync(() -> write((number == 0) ? null : node, number), threads));
		}
		try {
			for (int kill = 0; kill < KILLS; kill++) {
				killOnce(kill);
			}
		}
		finally {
			this.enough.set(true);
			threads.shutdown();
		}
		CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();
		this.inline.promote(Accounts.PROJECTOR, "anna", null);
		this.owner.start(this.world);
		await().atMost(Patience.PROCESS).until(() -> inlineStatus() == InlineStatus.INLINE);
		System.out.printf("%d kills, %d turns, %d events%n", KILLS, this.ledger.find().orElseThrow().turn(),
				this.world.count("select count(*) from eventing.events"));
		assertThatTheReadModelHasAllEvents();
		assertThat(this.ledger.find().orElseThrow().turn()).as("turns").isGreaterThan(KILLS / 4);
	}

	/** Kills the process at a random moment after an operator has changed something. */
	private void killOnce(int kill) {
		if (!this.owner.isAlive()) {
			this.owner.start(this.world);
			this.owner.awaitReady();
		}
		if (kill % 2 == 0) {
			this.ledger.demote(true); // and leaves the rest to the owner
		}
		else {
			this.inline.promote(Accounts.PROJECTOR, "anna", null);
		}
		if (kill % 4 < 2) { // else a slow machine would see few of its turns
			boolean promoted = kill % 2 != 0;
			await().atMost(Patience.PROCESS).until(() -> this.ledger.find().orElseThrow().isInline() == promoted);
		}
		long end = System.nanoTime() + Duration.ofMillis(this.random.nextInt(LONGEST)).toNanos();
		await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() - end > 0);
		this.owner.kill();
	}

	/** Null is the node that does not know the projector, which appends seldom. */
	private void write(@Nullable AnnotationConfigApplicationContext node, int writer) {
		Random own = new Random(this.seed + writer);
		while (!this.enough.get()) {
			String account = "a" + own.nextInt(NAMES);
			try {
				if (node != null) {
					in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> next(store, account));
				}
				else {
					this.world.inTransaction((store) -> next(store, account));
				}
			}
			catch (VersionConflictException ex) {
				// another writer was faster
			}
			pause(Duration.ofMillis((node != null) ? 5 : 300));
		}
	}

	private boolean next(EventStore store, String account) {
		append(store, account, store.version(World.ACME, this.world.storedStream(account)) + 1);
		return true;
	}

}
