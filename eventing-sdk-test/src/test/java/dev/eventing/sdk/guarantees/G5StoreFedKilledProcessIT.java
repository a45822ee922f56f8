package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G5 for projectors that read the event store: an event whose handler ends the JVM
 * becomes a dead letter after {@code maxDeliver + 2} deaths, and takes no other with it.
 */
@Tag("crash")
class G5StoreFedKilledProcessIT {

	private static final int MAX_DELIVER = 3;

	private static final int ACCOUNTS = 10;

	private static final String POISON = "poison";

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Accounts.class);

	@AutoClose
	private final World world = World.create();

	@Test
	void makesADeadLetterOfTheEventThatEndsItsProcessAndOfNoOther() {
		appendAll(1, 5);
		this.world.inTransaction((store) -> store.append(World.ACME, this.world.storedStream(POISON),
				ExpectedVersion.noStream(), NewEvent.of(new Deposited(POISON, -1, 1))));
		appendAll(6, 10);
		long head = this.world.count("select max(global_position) from eventing.events");
		int[] deaths = { 0 };
		this.projector.start(this.world);
		await().atMost(Patience.PROCESS.multipliedBy(MAX_DELIVER + 2)).until(() -> {
			if (!this.projector.isAlive()) {
				deaths[0]++;
				assertThat(deaths[0]).as("deaths").isLessThanOrEqualTo(MAX_DELIVER + 2);
				this.projector.start(this.world);
			}
			return this.world.checkpoint("halting") == head;
		});
		assertThat(deaths[0]).isEqualTo(MAX_DELIVER + 2);
		List<DeadLetter> letters = this.world.deadLetters("halting");
		assertThat(letters).extracting(DeadLetter::reason).containsExactly("PROCESS_DIED");
		assertThat(letters.get(0).attempts()).isEqualTo(MAX_DELIVER);
		assertThat(this.world.count("select count(*) from account where version = 10")).isEqualTo(ACCOUNTS);
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
	}

	private void appendAll(long from, long to) {
		for (int account = 0; account < ACCOUNTS; account++) {
			this.world.append(World.ACME, "a" + account, from, to);
		}
	}

	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "halting",
				source = Source.EVENT_STORE, maxDeliver = MAX_DELIVER, concurrency = 2)
		public void on(Deposited event, UUID eventId, String tenantId) {
			if (event.version() < 0) {
				Runtime.getRuntime().halt(1);
			}
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
