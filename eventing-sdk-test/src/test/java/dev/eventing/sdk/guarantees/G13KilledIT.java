package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Random;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G13: wherever the owner dies while a generation is built, switched to and from, each
 * effect exists once. Some events are letters in whichever generation is live, and the
 * other one applies them: their effects are due at the next switch.
 */
@Tag("crash")
class G13KilledIT extends EffectSetup {

	private static final int KILLS = 20;

	/**
	 * The longest time between a request for a switch and the end of the process, in ms.
	 */
	private static final int LONGEST = 1500;

	@RegisterExtension
	final ProjectorProcess owner = ProjectorProcess.of(RefusedWhereLive.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private int next;

	@Test
	void existOnceHoweverOftenTheOwnerIsKilled() {
		System.out.println("crash.seed=" + this.seed);
		appendSome();
		this.owner.start(this.world);
		await().atMost(Patience.PROCESS).until(() -> notices("good0") == 2);
		this.generations.requestBuild();
		for (int kill = 0; kill < KILLS; kill++) {
			killOnce();
		}
		this.owner.start(this.world);
		appendSome();
		int before = patientlyReady();
		switchUntilDone(before);
		assertThat(this.world.count("select count(*) from eventing.dead_letters")).isPositive();
		await().atMost(Patience.PROCESS).untilAsserted(() -> assertThat(differences()).isEmpty());
		await().atMost(Patience.PROCESS).until(() -> states().stream().noneMatch((state) -> state.equals("DUE")));
		System.out.printf("%d kills, live generation %d, %d events%n", KILLS, this.generations.live(),
				this.world.count("select count(*) from eventing.events"));
	}

	/** Kills the process at a random moment of a build, of a switch or after it. */
	private void killOnce() {
		if (!this.owner.isAlive()) {
			this.owner.start(this.world);
			this.owner.awaitReady();
		}
		appendSome();
		this.generations.beside().filter((each) -> each.status().isFed()).ifPresent((beside) -> {
			try {
				this.generations.requestSwitch(beside.generation());
			}
			catch (RequestRefusedException ex) {
				// one of before waits yet
			}
		});
		long end = System.nanoTime() + Duration.ofMillis(this.random.nextInt(LONGEST)).toNanos();
		await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() - end > 0);
		this.owner.kill();
	}

	private void appendSome() {
		append("good" + this.next, 1, 1);
		append("refused" + this.next, 1, 1);
		this.next++;
	}

	/** Returns the number of the generation beside the live one, when it has met all. */
	private int patientlyReady() {
		await().atMost(Patience.PROCESS)
			.until(() -> this.generations.isOver()
					&& this.generations.beside().filter((each) -> each.status().isFed()).isPresent());
		int beside = this.generations.beside().orElseThrow().generation();
		await().atMost(Patience.PROCESS)
			.until(() -> this.world.checkpoint(LIVE + "#" + beside) >= this.world
				.count("select max(global_position) from eventing.events where event_type = 'Deposited'"));
		return beside;
	}

	private void switchUntilDone(int generation) {
		await().atMost(Patience.PROCESS).until(() -> {
			this.generations.requestSwitch(generation);
			await().atMost(Patience.PROCESS).until(this.generations::isOver);
			return this.generations.status() == Status.DONE;
		});
	}

	/** Refuses some events where it is live. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class RefusedWhereLive {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId, Effects effects) {
			effects.append("notices-" + event.account(), NewEvent.of(new Noticed(event.account(), event.version(), 1)));
			boolean live = "public".equals(this.jdbc.queryForObject("select current_schema()", String.class));
			if (live && event.account().startsWith("refused")) {
				throw new IllegalArgumentException("refused by the test");
			}
			World.apply(this.jdbc, event, tenantId);
			effects.append("later-" + event.account(), NewEvent.of(new Noticed(event.account(), event.version(), 2)));
		}

	}

}
