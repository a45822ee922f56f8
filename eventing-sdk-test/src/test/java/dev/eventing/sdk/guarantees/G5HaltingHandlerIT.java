package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
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
 * G5: an event that cannot be handled ends as a dead letter, also when its handler kills
 * the JVM, and takes no other event with it.
 *
 * <p>
 * It costs exactly {@code maxDeliver + 2} deaths. The first two are not counted. At the
 * first the event ran in a batch, and which of all that were handed out was begun nobody
 * knows. At the second it ran in a small group that was marked before. From then on each
 * event of that group runs alone with its attempt counted ahead; {@code maxDeliver} of
 * those end with the process, and the next start finds them used up.
 */
@Tag("crash")
class G5HaltingHandlerIT {

	private static final TenantId GLOBEX = TenantId.of("globex");

	private static final int MAX_DELIVER = 3;

	private static final int ACCOUNTS = 10;

	private static final int VERSIONS = 10;

	private static final String POISON = "poison";

	private static final String SLOW = "slow";

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Accounts.class);

	@AutoClose
	private final World world = World.create();

	@Test
	void becomesADeadLetterAloneAfterItEndedItsProcessMaxDeliverTimesAndTwiceMore() {
		publishAll(World.ACME);
		this.world.publish(World.ACME, POISON, 1, 2);
		Event<Deposited> poison = this.world.deposit(World.ACME, POISON, -1);
		this.world.publish(poison);
		publishAll(GLOBEX);
		int deaths = superviseUntilAllIsSettled();
		assertThat(deaths).isEqualTo(MAX_DELIVER + 2);
		assertThatItIsTheOnlyDeadLetter(poison);
		assertThatAllOthersWereApplied();
	}

	@Test
	void isNotTakenForTheEventsThatWereUnderWayOnOtherLanesWhenItEndedTheProcess() {
		for (int account = 0; account < ACCOUNTS; account++) {
			this.world.publish(this.world.deposit(GLOBEX, SLOW + account, 1));
		}
		Event<Deposited> poison = this.world.deposit(World.ACME, POISON, -1);
		this.world.publish(poison);
		int deaths = superviseUntilAllIsSettled();
		assertThat(deaths).isEqualTo(MAX_DELIVER + 2);
		assertThatItIsTheOnlyDeadLetter(poison);
		for (int account = 0; account < ACCOUNTS; account++) {
			assertThat(this.world.version(GLOBEX, SLOW + account)).isEqualTo(1);
		}
	}

	private void publishAll(TenantId tenant) {
		for (int version = 1; version <= VERSIONS; version++) {
			for (int account = 0; account < ACCOUNTS; account++) {
				this.world.publish(this.world.deposit(tenant, "a" + account, version));
			}
		}
	}

	/**
	 * Starts the process again whenever it ended; returns how often it did. The patience
	 * grows with the number of processes.
	 */
	private int superviseUntilAllIsSettled() {
		this.projector.start(this.world);
		this.projector.awaitReady();
		int[] deaths = { 0 };
		await().atMost(Patience.PROCESS.multipliedBy(MAX_DELIVER + 2)).until(() -> {
			if (!this.projector.isAlive()) {
				deaths[0]++;
				assertThat(deaths[0]).as("deaths").isLessThanOrEqualTo(MAX_DELIVER + 2);
				this.projector.start(this.world);
			}
			return this.world.hasSettledAll("Accounts-on");
		});
		return deaths[0];
	}

	private void assertThatItIsTheOnlyDeadLetter(Event<Deposited> poison) {
		List<DeadLetter> letters = this.world.deadLetters("Accounts-on");
		assertThat(letters).hasSize(1);
		DeadLetter letter = letters.get(0);
		assertThat(letter.eventId()).isEqualTo(poison.id());
		assertThat(letter.tenantId()).isEqualTo(World.ACME);
		assertThat(letter.reason()).isEqualTo("PROCESS_DIED");
		assertThat(letter.attempts()).isEqualTo(MAX_DELIVER);
		assertThat(letter.event().headers().first("ce-id")).isEqualTo(poison.id().toString());
		assertThat(new String(letter.event().payload(), StandardCharsets.UTF_8)).contains("\"version\":-1");
	}

	private void assertThatAllOthersWereApplied() {
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		for (TenantId tenant : List.of(World.ACME, GLOBEX)) {
			for (int account = 0; account < ACCOUNTS; account++) {
				assertThat(this.world.version(tenant, "a" + account)).isEqualTo(VERSIONS);
			}
		}
		assertThat(this.world.version(World.ACME, POISON)).isEqualTo(2);
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
	}

	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", maxDeliver = MAX_DELIVER, concurrency = 4)
		public void on(Deposited event, UUID eventId, String tenantId) {
			if (event.version() < 0) {
				Runtime.getRuntime().halt(1);
			}
			if (event.account().startsWith(SLOW)) {
				this.jdbc.execute("select pg_sleep(0.3)");
			}
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
