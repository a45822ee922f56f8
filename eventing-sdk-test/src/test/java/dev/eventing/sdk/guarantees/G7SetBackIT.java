package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.guarantees.RelayWorld.Stored;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.store.UnsafePositionsException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * G7: a database that is set back while a relay runs and sees no error, as by a failover
 * behind a proxy to a replica that lagged, is noticed, and no event it commits afterwards
 * is left out.
 */
class G7SetBackIT {

	private static final String SETVAL = "setval(pg_get_serial_sequence('\"eventing\".\"events\"', 'global_position'), 100)";

	@AutoClose
	private final RelayWorld world = RelayWorld.create();

	@BeforeEach
	void append() {
		this.world.append(World.ACME, "account", 100);
	}

	@Test
	void publishesNothingFromADatabaseThatWasSetBackAndFilledAnewBehindItsBack() {
		try (var relay = this.world.start(this.world.options())) {
			this.world.awaitDrained();
			this.world.setBack(50, 50, () -> this.world.append(World.ACME, "another", 70));
			awaitRefused(relay, "position 51 is event");
			assertThat(this.world.stored()).hasSize(100);
		}
	}

	@Test
	void publishesEveryCommittedEventOnceTheRestoreIsAccepted() {
		try (var relay = this.world.start(this.world.options())) {
			this.world.awaitDrained();
			this.world.setBack(50, 50, () -> this.world.append(World.ACME, "another", 70));
			awaitRefused(relay, "position 51 is event");
			assertThat(relay.getBean(Relays.class).acceptRestore(RelayWorld.RELAY)).isEqualTo(100);
			this.world.awaitDrained();
			assertThatEveryCommittedEventIsInTheStream();
			this.world.append(World.ACME, "third", 5);
			this.world.awaitDrained();
			assertThatEveryCommittedEventIsInTheStream();
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
		}
	}

	@Test
	void takesTheRelayBackWhereItsPositionIsAheadOfWhatWasPublished() {
		try (var relay = this.world.start(this.world.options())) {
			this.world.awaitDrained();
		}
		this.world.setBack(50, 50, () -> this.world.append(World.ACME, "another", 70));
		this.world.world().jdbc().update("update eventing.relay_positions set position = 120");
		try (var relay = this.world.start(this.world.options())) {
			awaitRefused(relay, "position 51 is event");
			relay.getBean(Relays.class).acceptRestore(RelayWorld.RELAY);
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
			this.world.awaitDrained();
			assertThatEveryCommittedEventIsInTheStream();
		}
	}

	@Test
	void namesTheRightsThatTheRoleLacksToAcceptIt() {
		try (LimitedRole role = new LimitedRole(this.world.world())) {
			this.world.jdbc().execute("""
					revoke all on all tables in schema eventing from %1$s;
					grant select, insert, update, delete on all tables in schema eventing to %1$s;
					revoke update, delete on eventing.events from %1$s;
					revoke update on all sequences in schema eventing from %1$s""".formatted(role.name()));
			try (var relay = this.world.world().start(role.of(RelayWorld.application(this.world.options())))) {
				this.world.awaitDrained();
				this.world.setBack(50, 50, () -> this.world.append(World.ACME, "another", 70));
				awaitRefused(relay, "position 51 is event");
				Relays relays = relay.getBean(Relays.class);
				assertThatExceptionOfType(OperatorMustActException.class)
					.isThrownBy(() -> relays.acceptRestore(RelayWorld.RELAY))
					.withMessageStartingWith("The restore is not accepted, because the role may not lock the events")
					.satisfies((refusal) -> this.world.jdbc().execute(refusal.getMessage().split("'", 3)[1]));
				assertThat(relays.acceptRestore(RelayWorld.RELAY)).isEqualTo(100);
				this.world.awaitDrained();
				assertThatEveryCommittedEventIsInTheStream();
			}
		}
	}

	/**
	 * PostgreSQL logs sequences 32 ahead, so that a replica may have drawn what it lost.
	 */
	@Test
	void noticesTheLossThoughTheSequenceRanAhead() {
		try (var relay = this.world.start(this.world.options())) {
			this.world.awaitDrained();
			this.world.setBack(80, 112, () -> {
			});
			awaitRefused(relay, "at position 81, and the event store has none there");
			assertThat(relay.getBean(Relays.class).acceptRestore(RelayWorld.RELAY)).isEqualTo(100);
			this.world.append(World.ACME, "another", 5);
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
			this.world.awaitDrained();
			assertThatEveryCommittedEventIsInTheStream();
		}
	}

	@Test
	void namesASequenceThatLogicalReplicationLeftBehind() {
		this.world.setDrawn(1);
		assertThatExceptionOfType(UnsafePositionsException.class)
			.isThrownBy(() -> this.world.append(World.ACME, "another", 1))
			.withMessageContaining("setval");
		try (var relay = this.world.start(this.world.options())) {
			await().untilAsserted(() -> {
				assertThat(RelayWorld.status(relay).detail()).contains("go up to 100").contains(SETVAL);
				assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.FAILED);
			});
			this.world.setDrawn(100);
			this.world.append(World.ACME, "another", 1);
			this.world.awaitDrained();
			assertThatEveryCommittedEventIsInTheStream();
		}
	}

	@Test
	void refusesToStartAProjectorThatReadsTheStoreBehindASequenceThatLogicalReplicationLeftBehind() {
		this.world.setDrawn(1);
		assertThatThrownBy(this::startProjector).rootCause()
			.isInstanceOf(ProjectorStartException.class)
			.hasMessageContainingAll("go up to 100", SETVAL);
		this.world.setDrawn(100);
		try (AnnotationConfigApplicationContext projector = startProjector()) {
			assertThat(projector.isActive()).isTrue();
			await().until(() -> this.world.world().version(World.ACME, "account") == 100);
		}
	}

	/** Not the first one alone, and none is left started. */
	@Test
	void namesTheMistakesOfAllProjectorsAtOnce() {
		this.world.setDrawn(1);
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		assertThatThrownBy(() -> this.world.world()
			.start(WorldApplication.of(new ThreeProjectors())
				.customize((context) -> context.registerBean(EventSubjects.class,
						() -> EventSubjects.of(this.world.world().subject())))))
			.rootCause()
			.isInstanceOfSatisfying(ProjectorStartException.class, (refusal) -> {
				assertThat(refusal.problems()).hasSize(2);
				assertThat(refusal.problems().get(0)).contains("go up to 100", SETVAL);
				assertThat(refusal.problems().get(1)).contains("'nowhere'").doesNotContain("go up to");
				assertThat(refusal.getSuppressed()[0]).isInstanceOf(UnsafePositionsException.class);
				assertThat(refusal.getSuppressed()[1]).isInstanceOf(JetStreamConfigurationException.class);
			});
		assertThat(this.world.world().count("""
				select count(*) from eventing.leases
				 where lease_name like 'projector/%' and expires_at > clock_timestamp()""")).isZero();
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.filteredOn((thread) -> !before.contains(thread) && thread.getName().startsWith("clean"))
			.isEmpty());
	}

	@Test
	void failsAProjectorAtWorkWhoseSequenceLogicalReplicationLeftBehindUntilItIsMoved() {
		try (AnnotationConfigApplicationContext projector = startProjector()) {
			await().until(() -> this.world.world().version(World.ACME, "account") == 100);
			this.world.setDrawn(1);
			await().untilAsserted(() -> {
				ProjectorStatus status = World.status(projector, Accounts.PROJECTOR);
				assertThat(status.state()).isEqualTo(ProjectorState.FAILED);
				assertThat(status.detail()).contains("go up to 100", SETVAL);
			});
			this.world.setDrawn(100);
			this.world.append(World.ACME, "account", 1);
			await().until(() -> this.world.world().version(World.ACME, "account") == 101);
			assertThat(this.world.world().count("select count(*) from violations")).isZero();
		}
	}

	private AnnotationConfigApplicationContext startProjector() {
		return this.world.world()
			.start(WorldApplication.of(new Accounts())
				.lease(RelayWorld.LEASE)
				.with(ProjectorSettings.builder().source(Source.EVENT_STORE).build())
				.customize((context) -> context.registerBean(EventSubjects.class,
						() -> EventSubjects.of(this.world.world().subject()))));
	}

	private void assertThatEveryCommittedEventIsInTheStream() {
		List<UUID> committed = this.world.world()
			.jdbc()
			.queryForList("select event_id from eventing.events", UUID.class);
		assertThat(this.world.stored()).extracting(Stored::id).containsAll(committed);
	}

	private static void awaitRefused(AnnotationConfigApplicationContext relay, String why) {
		await().untilAsserted(() -> {
			assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.REFUSED);
			assertThat(RelayWorld.status(relay).detail()).contains(why);
		});
	}

	/** The first two have different mistakes. */
	static class ThreeProjectors {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "behind",
				source = Source.EVENT_STORE)
		public void behind(Deposited event) {
		}

		@ProjectorEventHandler(subject = "nowhere.{tenant}.deposited", projectorName = "nowhere")
		public void nowhere(Deposited event) {
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "clean")
		public void clean(Deposited event) {
		}

	}

}
