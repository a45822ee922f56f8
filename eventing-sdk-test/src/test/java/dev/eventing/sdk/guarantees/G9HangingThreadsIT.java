package dev.eventing.sdk.guarantees;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.store.StoreOptions;
import dev.eventing.sdk.worker.StallOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: each kind of thread of the SDK that uses the database hangs there, as with a driver
 * that does not return. Health names it until it continues, and the log has its stack
 * once.
 */
@Tag("crash")
@ExtendWith(OutputCaptureExtension.class)
class G9HangingThreadsIT extends StruckThreads {

	private static final Duration STALLED_AFTER = Duration.ofSeconds(2);

	private final RelayWorld relays = new RelayWorld(this.world);

	private final Set<String> refused = ConcurrentHashMap.newKeySet();

	private FaultyDataSource.Hang hang = FaultyDataSource.Hang.create();

	@AfterEach
	void end() {
		this.hang.end();
	}

	private AnnotationConfigApplicationContext start() {
		Accounts accounts = new Accounts((event) -> {
			if (this.refused.contains(event.account())) {
				throw new Accounts.Refused();
			}
		});
		RelayOptions relay = this.relays.options().withStalledAfter(STALLED_AFTER);
		return this.world.start(application(accounts)
			.with(ProjectorSettings.builder().maxDeliver(1).concurrency(1).stalledAfter(STALLED_AFTER).build())
			.lease(Duration.ofSeconds(2))
			.customize((context) -> {
				context.registerBean(RelayOptions.class, () -> relay);
				context.registerBean(StallOptions.class, () -> new StallOptions(STALLED_AFTER));
				context.registerBean(DeadLetterStreamOptions.class, () -> new DeadLetterStreamOptions(true, true));
				context.registerBean(PruningOptions.class,
						() -> new PruningOptions(true, Duration.ofDays(7), Duration.ofSeconds(1)));
				context.registerBean(StoreOptions.class,
						() -> new StoreOptions("/test", EventSubjects.of("{category}.{tenant}.deposited"), true));
			}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "accounts-intake", "accounts-lane-0", "accounts-redrives", "accounts-advisories",
			"accounts-owner", "eventing-redrive-poll", "eventing-projector-controls", "eventing-node-reports",
			"eventing-pruner", "eventing-notifications", "dead-letter-forwarder", "relay-accounts",
			"relay-accounts-reader" })
	void isNamedByHealthUntilItGoesOn(String thread, CapturedOutput output) {
		try (AnnotationConfigApplicationContext application = start()) {
			this.relays.append(World.ACME, "a", 1);
			awaitVersion("a", 1);
			this.hang = this.database.hang(thread);
			// it asks while no other query does
			if (thread.equals("eventing-redrive-poll")) {
				this.database.failFor("eventing-projector-controls", Integer.MAX_VALUE,
						new SQLException("of the test"));
			}
			bringThere(thread);
			await().untilAsserted(() -> assertThat(stalled(application)).containsKey(thread));
			assertThat(stalled(application).get(thread)).asString()
				.startsWith("'" + thread + "' has made no progress for ");
			await().until(() -> output.getOut().contains("'" + thread + "' has made no progress for"));
			this.hang.end();
			await().untilAsserted(() -> assertThat(stalled(application)).doesNotContainKey(thread));
			await().until(() -> output.getOut().contains("'" + thread + "' makes progress again"));
			assertThat(output.getOut().split("'" + thread + "' has made no progress for", -1)).hasSize(2);
			assertThat(output.getOut()).contains("FaultyDataSource$Hang.await");
		}
	}

	/** A hang of what projectors and relays need is no matter of details. */
	@ParameterizedTest
	@ValueSource(strings = { "accounts-intake", "accounts-lane-0", "accounts-redrives" })
	void ofAProjectorIsDown(String thread) {
		try (AnnotationConfigApplicationContext application = start()) {
			this.relays.append(World.ACME, "a", 1);
			awaitVersion("a", 1);
			this.hang = this.database.hang(thread);
			bringThere(thread);
			await().untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.DOWN));
			this.hang.end();
			await().untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "relay-accounts", "relay-accounts-reader", "relay-accounts-saver" })
	void ofARelayIsDown(String thread) {
		try (AnnotationConfigApplicationContext application = start()) {
			this.relays.append(World.ACME, "a", 1);
			awaitVersion("a", 1);
			this.hang = this.database.hang(thread);
			bringThere(thread);
			await().untilAsserted(() -> assertThat(relayHealth(application)).isEqualTo(Status.DOWN));
			this.hang.end();
			await().untilAsserted(() -> assertThat(relayHealth(application)).isEqualTo(Status.UP));
		}
	}

	/** What makes the thread ask for its next connection. */
	private void bringThere(String thread) {
		switch (thread) {
			case "accounts-redrives" -> {
				letter("bad");
				this.refused.clear();
				this.world.operators()
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "test"));
			}
			case "accounts-owner" -> this.world.takeLease("projector/accounts");
			case "eventing-notifications" -> this.world.jdbc()
				.queryForList("select pg_terminate_backend(pid) from pg_stat_activity"
						+ " where datname = current_database() and query ilike 'listen%'", Boolean.class);
			default -> this.relays.append(World.ACME, "b", 1);
		}
		AtomicInteger letters = new AtomicInteger();
		await().until(() -> {
			if (thread.equals("accounts-advisories")) { // once they are heard
				letter("bad" + letters.incrementAndGet());
			}
			return this.hang.isReached();
		});
	}

	/** JetStream tells of the event that it was given up. */
	private void letter(String account) {
		this.refused.add(account);
		this.relays.append(World.ACME, account, 1);
		await().until(() -> this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.anyMatch((letter) -> account.equals(letter.orderingKey())));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> stalled(AnnotationConfigApplicationContext application) {
		return (Map<String, Object>) Objects.requireNonNullElse(health(application).getDetails().get("stalled"),
				Map.of());
	}

}
