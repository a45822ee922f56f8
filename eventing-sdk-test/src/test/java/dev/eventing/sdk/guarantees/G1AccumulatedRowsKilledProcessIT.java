package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ReadModelWriter;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What processes leave to be written at the end of a batch is exact if they are killed.
 */
@Tag("crash")
class G1AccumulatedRowsKilledProcessIT {

	private static final int EVENTS = 12_000;

	private static final int KILLS = 8;

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Hot.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTables() {
		this.world.jdbc().execute(Deferring.TABLE);
		this.world.jdbc().execute("create table hot (row_number int primary key, events bigint, amount numeric)");
	}

	@Test
	void addsEachEventOnceHoweverOftenItsProcessIsKilled() {
		System.out.println("crash.seed=" + this.seed);
		publishAll();
		for (int kill = 0; kill < KILLS; kill++) {
			long goal = added() + 1 + this.random.nextInt(EVENTS / KILLS / 2);
			this.projector.start(this.world);
			await().atMost(Patience.PROCESS)
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(10))
				.until(() -> added() >= goal);
			this.projector.kill();
			assertThat(added()).as("a kill when all was done proves nothing").isLessThan(EVENTS);
		}
		System.out.println(EVENTS + " events, " + KILLS + " kills, " + (EVENTS - added()) + " left after the last");
		this.projector.start(this.world);
		await().atMost(Patience.PROCESS).until(() -> added() >= EVENTS);
		await().until(() -> this.world.unsettled("hot") == 0);
		assertThat(added()).isEqualTo(EVENTS);
		assertThat(this.world.count("select sum(amount) from hot")).isEqualTo(EVENTS * (EVENTS + 1L) / 2);
		assertThat(this.world.count("select count(*) from hot")).isEqualTo(5);
		assertThat(this.world.count("select count(*) from applied")).isEqualTo(EVENTS);
		assertThat(this.world.count("select count(*) from eventing.dead_letters")).isZero();
	}

	private void publishAll() {
		List<CompletableFuture<?>> published = new ArrayList<>();
		for (int event = 1; event <= EVENTS; event++) {
			published.add(this.world.publisher()
				.publishAsync(this.world.subject(), this.world.deposit(World.ACME, "a" + event % 100, event)));
		}
		CompletableFuture.allOf(published.toArray(CompletableFuture[]::new)).join();
	}

	private long added() {
		return this.world.count("select coalesce(sum(events), 0) from hot");
	}

	static class Hot {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "hot", concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId, ReadModelWriter writer) {
			writer.update("insert into applied (account, version) values (?, ?)", event.account(), event.version());
			writer.add("hot", Map.of("row_number", event.version() % 5), Map.of("events", 1, "amount", event.amount()));
		}

	}

}
