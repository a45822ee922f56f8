package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ProjectionRequest.What;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.SwitchOptions;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G11: a switch is one short transaction; after it readers see at least what they saw
 * before, and a roll back is the same.
 */
class G11SwitchIT extends BesideSetup {

	@Test
	void exchangesTheGenerationsToAndFroWhileReadersReadAndEventsCome() throws InterruptedException {
		appendAll(1, 20);
		AtomicLong version = new AtomicLong(20);
		AtomicBoolean over = new AtomicBoolean();
		List<String> problems = new CopyOnWriteArrayList<>();
		try (AnnotationConfigApplicationContext application = start(new Stored());
				AnnotationConfigApplicationContext other = start(new Stored())) {
			awaitVersions("public", 20);
			this.world.jdbc().update("update account set total = -1000000000000 where account = 'a3'");
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			Thread writer = new Thread(() -> {
				while (!over.get()) {
					long next = version.get() + 1;
					appendAll(next, next);
					version.set(next);
				}
			});
			Thread reader = new Thread(() -> read(over, problems));
			writer.start();
			reader.start();
			try {
				for (int round = 0; round < 2; round++) {
					switchTo(2);
					assertThat(this.operators.generations(Accounts.PROJECTOR)).extracting(ProjectionGeneration::status)
						.containsExactly(ProjectionGeneration.Status.LIVE, ProjectionGeneration.Status.STANDBY);
					awaitMoving(version);
					switchTo(1);
					awaitMoving(version);
				}
				switchTo(2);
				awaitMoving(version);
			}
			finally {
				over.set(true);
				writer.join();
				reader.join();
			}
			assertThat(problems).isEmpty();
			awaitVersions("public", version.get());
			awaitVersions("accounts_g1", version.get());
			assertThatTheReadModelIsExact("public", version.get());
			assertThat(this.world.count("select total from accounts_g1.account where account = 'a3'")).isNegative();
			assertThat(this.world.jdbc().queryForList("select * from accounts_g1.violations")).isEmpty();
			assertThat(overview("live").generation().number()).isEqualTo(2);
			assertThat(overview("standby").generation().number()).isEqualTo(1);
			retire(1);
			assertThatNothingIsLeft();
			assertThatTheReadModelIsExact("public", version.get());
		}
	}

	/** A letter belongs to the generation in which its event failed. */
	@Test
	void exchangesTheLettersAndWhatIsClaimed() {
		Stored accounts = new Stored();
		accounts.refused.add("a1");
		accounts.refusedBeside.add("a2");
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 3);
			accounts.refused.clear();
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			assertThat(this.operators.plan(Accounts.PROJECTOR, What.switchTo(2, SwitchOptions.STRICT)).obstacles())
				.containsExactly("3 events of the live generation are dead letters of generation 2. Correct the "
						+ "handler, retire the generation, and build another.");
			requestSwitch(2);
			await().until(() -> status() == Status.FAILED);
			assertThat(detail())
				.startsWith("3 events of the live generation are dead letters of generation 2. Correct the handler");
			retire(2);
			accounts.refusedBeside.clear();
			build();
			awaitStatus(3, ProjectionGeneration.Status.READY);
			switchTo(3);
			assertThat(openLetters("accounts")).isEmpty();
			assertThat(openLetters("accounts#1")).containsOnly("a1").hasSize(3);
			assertThatTheReadModelIsExact("public", 3);
			appendAll(4, 4);
			awaitVersions("public", 4);
			await().until(() -> openLetters("accounts#1").size() == 4);
			switchTo(1);
			assertThat(openLetters("accounts")).containsOnly("a1").hasSize(4);
			this.world.operators()
				.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "anna"));
			awaitVersions("public", 4);
			assertThatTheReadModelIsExact("public", 4);
			switchTo(3);
			assertThatTheReadModelIsExact("public", 4);
			retire(1);
			assertThatNothingIsLeft();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(4L * NAMES);
		}
	}

	/** The claims of what it does not show are not its own. */
	@Test
	void letsALaterVersionHandleWhatTheNewGenerationDidNot() {
		appendAll(1, 5);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions("public", 5);
		}
		try (AnnotationConfigApplicationContext application = start(new Elsewhere())) {
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			switchTo(2);
			assertThat(this.world.count("select count(*) from account")).isZero();
			switchTo(1);
			assertThatTheReadModelIsExact("public", 5);
			assertThat(this.world
				.count("select count(*) from eventing.processed_events where projector_name = 'accounts'"))
				.isEqualTo(5L * NAMES);
			switchTo(2);
			retire(1);
		}
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions("public", 5);
			assertThatTheReadModelIsExact("public", 5);
			assertThatNothingIsLeft();
		}
	}

	/** Else an abandoned generation would cost load for ever. */
	@Test
	void feedsTheFormerGenerationForALimitedTime() {
		appendAll(1, 3);
		WorldApplication limited = WorldApplication.of(new Stored())
			.lease(Duration.ofSeconds(2))
			.customize((context) -> context.registerBean(ProjectorRuntime.class,
					() -> new ProjectorRuntime(Duration.ofSeconds(10), Thread::new, Duration.ofHours(6))));
		try (AnnotationConfigApplicationContext application = this.world.start(limited)) {
			awaitVersions("public", 3);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			switchTo(2);
			appendAll(4, 4);
			awaitVersions("accounts_g1", 4);
			switchTo(1);
			this.world.jdbc()
				.update("update eventing.projections set live_at = live_at - interval '7 hours' where status = 'LIVE'");
			awaitStatus(2, ProjectionGeneration.Status.STALE);
			assertThat(overview("stale").generation().number()).isEqualTo(2);
			await().until(() -> this.world
				.count("select count(*) from eventing.leases where lease_name = 'projector/accounts#2'") == 0);
			appendAll(5, 5);
			awaitVersions("public", 5);
			assertThat(this.world.count("select max(version) from accounts_g2.account where account like 'a_'"))
				.isEqualTo(4);
			assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(() -> requestSwitch(2))
				.withMessage(
						"Generation 2 of 'accounts' is STALE: It was replaced longer ago than 6h, and is not fed any"
								+ " more. Retire it.");
			assertThat(this.projectors.audit(Accounts.PROJECTOR)).extracting(ProjectionAuditEntry::action)
				.contains(ProjectionAction.STANDBY_ENDED);
			retire(2);
			assertThatNothingIsLeft();
			assertThatTheReadModelIsExact("public", 5);
		}
	}

	private List<String> openLetters(String projector) {
		return this.world.jdbc().queryForList("""
				select convert_from(payload, 'UTF8')::jsonb ->> 'account' from eventing.dead_letters
				 where projector_name = ? and status = 'PARKED'""", String.class, projector);
	}

	/** The read model follows what is appended. */
	private void awaitMoving(AtomicLong version) {
		long now = version.get();
		await().until(() -> this.world.version(World.ACME, "a6") > now);
	}

	/** Reads all versions by name again and again; none goes back. */
	private void read(AtomicBoolean over, List<String> problems) {
		Map<String, Long> seen = new HashMap<>();
		while (!over.get()) {
			try {
				this.world.jdbc().query("select account, version from account", (row) -> {
					Long before = seen.put(row.getString(1), row.getLong(2));
					if (before != null && before > row.getLong(2)) {
						problems.add(row.getString(1) + " went back from " + before + " to " + row.getLong(2));
					}
				});
			}
			catch (RuntimeException ex) {
				problems.add(String.valueOf(ex.getMessage()));
			}
		}
	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Elsewhere extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.withdrawn", source = Source.EVENT_STORE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

}
