package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;

import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G18: wherever in a backfill its owner dies, the next one continues, and each event is
 * applied once and in order, while later events of the type are appended.
 */
@Tag("crash")
class G18KilledBackfillIT extends BackfillSetup {

	private static final int KILLS = 20;

	private static final int EVENTS = 600;

	/** The longest time between the start of a process and its end. */
	private static final int LONGEST = 1500;

	@RegisterExtension
	final ProjectorProcess owner = ProjectorProcess.of(Next.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@Test
	void appliesEachEventOnceHoweverOftenItsOwnerIsKilled() {
		System.out.println("crash.seed=" + this.seed);
		for (int account = 0; account < NAMES; account++) {
			deposits("a" + account, 1, EVENTS);
		}
		applyWithFormer();
		ProjectionRequest request = backfill(BackfillOptions.ofHandler("tally").rate(250));
		int underWay = 0;
		for (int kill = 0; kill < KILLS; kill++) {
			this.owner.start(this.world);
			this.owner.awaitReady();
			// what the new handler gets before that it would get once more
			await().until(() -> find(request).state().status() != Status.PENDING);
			for (int account = 0; account < NAMES; account++) {
				deposits("a" + account, EVENTS + kill + 1, EVENTS + kill + 1);
			}
			assertThat(this.owner.awaitEnd(Duration.ofMillis(this.random.nextInt(LONGEST)))).isFalse();
			this.owner.kill();
			underWay += (find(request).state().status() == Status.RUNNING) ? 1 : 0;
		}
		this.owner.start(this.world);
		await().atMost(Patience.PROCESS).until(() -> find(request).state().status() == Status.DONE && isAtHead());
		System.out.printf("%d kills, %d while the backfill was under way%n", KILLS, underWay);
		assertThatAllAreIn("tally", EVENTS + KILLS);
		assertThat(settled(request)).isEqualTo((long) NAMES * EVENTS);
		assertThat(this.world.count("select count(*) from eventing.processed_events"))
			.isEqualTo((long) NAMES * (EVENTS + KILLS));
		assertThatNothingIsLeft();
		assertThat(underWay).as("kills while the backfill was under way").isGreaterThanOrEqualTo(KILLS / 4);
	}

	private void deposits(String account, long from, long to) {
		this.world
			.inTransaction((store) -> store.append(World.ACME, this.world.storedStream(account), ExpectedVersion.any(),
					LongStream.rangeClosed(from, to)
						.mapToObj((version) -> NewEvent.of(new Deposited(account, version, version)))
						.toList()));
	}

}
