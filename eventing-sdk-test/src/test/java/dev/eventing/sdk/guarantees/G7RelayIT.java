package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guarantees.RelayWorld.Stored;
import dev.eventing.sdk.relay.Refusal;
import dev.eventing.sdk.relay.RefusedEvents;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Steady;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G7: every committed event is published, in the order of positions, and what cannot be
 * published stops only its own stream.
 */
class G7RelayIT {

	private static final TenantId GLOBEX = TenantId.of("globex");

	private static final String TOO_LARGE = "x".repeat(2_000_000);

	@AutoClose
	private final RelayWorld world = RelayWorld.create();

	@Test
	void publishesEveryEventOnceInOrderWithWhatTheStoreKnowsOfIt() {
		for (int i = 0; i < 20; i++) {
			this.world.appendRound(50);
		}
		try (var relay = this.world.start(this.world.options())) {
			this.world.appendRound(50);
			this.world.awaitDrained();
			assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.RUNNING);
			assertThat(relay.getBean(Relays.class).lag(RelayWorld.RELAY).events()).isZero();
		}
		assertThat(this.world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
		Stored first = this.world.stored().get(0);
		assertThat(first.position()).isEqualTo(1);
		assertThat(first.relay()).startsWith(RelayWorld.RELAY + ";1;");
	}

	@Test
	void waitsForATransactionThatDrewItsPositionsEarlyAndCommitsLate() throws Exception {
		CountDownLatch drawn = new CountDownLatch(1);
		CountDownLatch commit = new CountDownLatch(1);
		CompletableFuture<Void> late = CompletableFuture
			.runAsync(() -> this.world.transaction().executeWithoutResult((status) -> {
				this.world.append(World.ACME, "late", 1);
				drawn.countDown();
				join(commit);
			}));
		drawn.await();
		try (var relay = this.world.start(this.world.options())) {
			this.world.append(World.ACME, "early", 3);
			Steady.holds(Duration.ofMillis(500), () -> this.world.stored().isEmpty());
			assertThat(relay.getBean(Relays.class).lag(RelayWorld.RELAY).events()).isEqualTo(3);
			commit.countDown();
			late.get();
			this.world.awaitDrained();
		}
		assertThat(this.world.stored()).extracting(Stored::streamId).containsExactly("late", "early", "early", "early");
	}

	@Test
	void unrelatedTransactionsHoldNothingUp() throws Exception {
		try (Connection other = World.dataSource(this.world.world().jdbcUrl()).getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("create table unrelated (x int)");
			try (var relay = this.world.start(this.world.options())) {
				this.world.append(World.ACME, "account", 5);
				this.world.awaitDrained();
				assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.RUNNING);
			}
			other.rollback();
		}
		assertThat(this.world.stored()).hasSize(5);
	}

	@Test
	void sharesTheEventsAmongRelaysByCategory() {
		RelayOptions orders = RelayOptions.named("orders")
			.withSubjects(this.world.world().root() + ".orders.{tenant}.{type}")
			.withCategories("order");
		RelayOptions users = RelayOptions.named("users")
			.withSubjects(this.world.world().root() + ".users.{tenant}.{type}")
			.withCategories("user");
		try (var relay = this.world.start(orders, users)) {
			this.world.append(World.ACME, "order-1", 2);
			this.world.append(World.ACME, "user-1", 2);
			this.world.append(World.ACME, "other-1", 2);
			this.world.awaitDrained("orders");
			this.world.awaitDrained("users");
			assertThat(relay.getBean(Relays.class).status()).hasSize(2);
		}
		assertThat(this.world.stored()).extracting(Stored::subject)
			.containsExactlyInAnyOrder(subject("orders"), subject("orders"), subject("users"), subject("users"));
	}

	private String subject(String kind) {
		return this.world.world().root() + "." + kind + ".acme.Deposited";
	}

	@Test
	void handsOverToTheOtherNode() {
		var first = this.world.start(this.world.options());
		this.world.append(World.ACME, "account", 1);
		this.world.awaitDrained();
		try (var second = this.world.start(this.world.options())) {
			await().untilAsserted(() -> assertThat(RelayWorld.status(second).state()).isEqualTo(RelayState.STANDBY));
			first.close();
			this.world.append(World.ACME, "account", 1);
			this.world.awaitDrained();
			assertThat(RelayWorld.status(second).state()).isEqualTo(RelayState.RUNNING);
		}
		assertThat(this.world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
	}

	@Test
	void publishesNothingWhileItIsPaused() {
		try (var relay = this.world.start(this.world.options())) {
			relay.getBean(Relays.class).pause(RelayWorld.RELAY);
			await().until(() -> RelayWorld.status(relay).state() == RelayState.PAUSED);
			this.world.append(World.ACME, "account", 1);
			Steady.holds(Duration.ofMillis(300), () -> this.world.stored().isEmpty());
			relay.getBean(Relays.class).resume(RelayWorld.RELAY);
			this.world.awaitDrained();
		}
		assertThat(this.world.stored()).hasSize(1);
	}

	@Test
	void waitsForAStreamThatIsMissingAtFirst() {
		RelayOptions elsewhere = this.world.options().withSubjects("not-" + this.world.world().root() + ".{type}");
		try (var relay = this.world.start(elsewhere)) {
			this.world.append(World.ACME, "account", 3);
			await().untilAsserted(() -> {
				assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.WAITING_FOR_NATS);
				assertThat(RelayWorld.status(relay).detail()).contains("No stream takes the event for subject");
			});
			this.world.jetStream((management) -> management.updateStream(StreamConfiguration
				.builder(management.getStreamInfo(this.world.world().stream()).getConfiguration())
				.addSubjects("not-" + this.world.world().root() + ".>")
				.build()));
			this.world.awaitDrained();
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
		}
		assertThat(this.world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
	}

	@Test
	void publishesARangeAgain() {
		try (var relay = this.world.start(this.world.options())) {
			for (int i = 0; i < 10; i++) {
				this.world.appendRound(20);
			}
			this.world.awaitDrained();
			awaitEndOfDuplicates();
			this.world.jetStream((management) -> management.purgeStream(this.world.world().stream()));
			var republished = relay.getBean(Relays.class).republish(RelayWorld.RELAY, 1, 200);
			assertThat(republished.published()).isEqualTo(200);
		}
		assertThat(this.world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
	}

	/** The server has forgotten an id, and with it those before it. */
	private void awaitEndOfDuplicates() {
		Event<Deposited> probe = this.world.world().deposit(World.ACME, "probe", 1);
		this.world.world().publish(probe);
		await().until(() -> !this.world.world().publish(probe).duplicate());
	}

	@Test
	void countsPositionsInPlaceOfEventsWhereItIsFarBehind() {
		try (var relay = this.world.start(this.world.options())) {
			Relays relays = relay.getBean(Relays.class);
			relays.stop(RelayWorld.RELAY);
			this.world.world().jdbc().execute("""
					insert into eventing.events
					       (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
					select gen_random_uuid(), 'acme', 'account', n, 'Deposited', now(), '{}', '{"source": "test"}'
					  from generate_series(1, 9999) n""");
			assertThat(relays.lag(RelayWorld.RELAY).events()).isEqualTo(9_999);
			assertThat(relays.lag(RelayWorld.RELAY).estimated()).isFalse();
			this.world.setDrawn(20_000);
			this.world.append(World.ACME, "another", 1);
			assertThat(relays.lag(RelayWorld.RELAY).events()).isEqualTo(20_001);
			assertThat(relays.lag(RelayWorld.RELAY).estimated()).isTrue();
		}
	}

	@Test
	void believesNoMessageOfSomebodyElseThatBearsItsHeaders() throws Exception {
		try (var relay = this.world.start(this.world.options())) {
			this.world.append(World.ACME, "account", 1);
			this.world.awaitDrained();
		}
		String own = this.world.stored().get(0).relay();
		publishForged(RelayWorld.RELAY + ";1;other", "1000000");
		publishForged(own, "1000001");
		publishForged(own, "1");
		try (var relay = this.world.start(this.world.options())) {
			this.world.append(World.ACME, "account", 3);
			this.world.awaitDrained();
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
			assertThat(RelayWorld.status(relay).counts().published()).isEqualTo(3);
		}
	}

	private void publishForged(String relay, String position) throws Exception {
		try (io.nats.client.Connection connection = Nats.connect(this.world.world().natsUrl())) {
			Headers headers = new Headers().add("ce-id", UUID.randomUUID().toString())
				.add("ce-tenantid", "acme")
				.add("ce-subject", "forged")
				.add("ce-sequence", "1")
				.add("Eventing-Relay", relay)
				.add("Eventing-Position", position);
			connection.jetStream().publish(this.world.world().root() + ".acme.deposited", headers, new byte[0]);
		}
	}

	@Nested
	class WhileNoStreamCarriesTheSubjectsOfOneTenant {

		@Test
		void goesOnWithTheOthersAndPublishesTheRestOnceOneDoes() {
			try (var relay = G7RelayIT.this.world.start(G7RelayIT.this.world.options())) {
				publishOneAndLeaveOutGlobex();
				G7RelayIT.this.world.append(GLOBEX, "first", 400);
				G7RelayIT.this.world.append(GLOBEX, "second", 400);
				G7RelayIT.this.world.append(World.ACME, "account", 10);
				await().until(() -> G7RelayIT.this.world.stored().size() == 11);
				await().until(() -> RelayWorld.status(relay).stoppedStreams() == 2);
				await().untilAsserted(() -> {
					assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.RUNNING);
					assertThat(RelayWorld.status(relay).detail())
						.contains("carries '" + G7RelayIT.this.world.world().root() + ".globex.deposited'")
						.contains("2 streams wait");
					assertThat(refusals(relay)).extracting(Refusal::status)
						.hasSize(800)
						.containsOnly(Refusal.Status.WAITING, Refusal.Status.HELD);
				});
				carry(".>");
				await().until(() -> G7RelayIT.this.world.stored().size() >= 811);
				await().until(() -> RelayWorld.status(relay).stoppedStreams() == 0);
				await().until(() -> RelayWorld.status(relay).detail().isEmpty());
			}
			G7RelayIT.this.world.assertThatTheStreamHoldsEverythingInOrder();
		}

		@Test
		void keepsTheOrderOfTheirStreamsAlsoWhereRefusedEventsAreLeftOut() {
			RelayOptions options = G7RelayIT.this.world.options().with(RefusedEvents.SKIP);
			try (var relay = G7RelayIT.this.world.start(options)) {
				publishOneAndLeaveOutGlobex();
				G7RelayIT.this.world.append(GLOBEX, "waiting", 3);
				await().until(() -> RelayWorld.status(relay).stoppedStreams() == 1);
				G7RelayIT.this.world.append(GLOBEX, "waiting", 200);
				G7RelayIT.this.world.awaitDrained();
			}
			carry(".>");
			try (var relay = G7RelayIT.this.world.start(options)) {
				for (int i = 0; i < 20; i++) { // while those before are caught up
					G7RelayIT.this.world.append(GLOBEX, "waiting", 1);
				}
				await().until(() -> G7RelayIT.this.world.stored().size() >= 224);
				await().untilAsserted(() -> assertThat(refusals(relay)).isEmpty());
			}
			G7RelayIT.this.world.assertThatTheStreamHoldsEverythingInOrder();
		}

		@Test
		void publishesWhatIsHeldBehindEventsThatWereDeletedMeanwhile() {
			try (var relay = G7RelayIT.this.world.start(G7RelayIT.this.world.options())) {
				publishOneAndLeaveOutGlobex();
				G7RelayIT.this.world.append(GLOBEX, "waiting", 101);
				await().until(() -> refusals(relay).size() == 101);
				G7RelayIT.this.world.world()
					.jdbc()
					.update("delete from eventing.events where stream_id = 'waiting' and stream_version <= 100");
				carry(".>");
				await().until(() -> G7RelayIT.this.world.stored().size() == 2);
				await().until(() -> refusals(relay).isEmpty());
			}
		}

		/** The stream is declared with the first. */
		private void publishOneAndLeaveOutGlobex() {
			G7RelayIT.this.world.append(World.ACME, "account", 1);
			G7RelayIT.this.world.awaitDrained();
			carry(".acme.>");
		}

		private void carry(String subjects) {
			World world = G7RelayIT.this.world.world();
			world.jetStream((management) -> management
				.updateStream(StreamConfiguration.builder(management.getStreamInfo(world.stream()).getConfiguration())
					.subjects(world.root() + subjects)
					.build()));
		}

	}

	@Nested
	class WhenAnEventCannotBePublished {

		@Test
		void stopsItsStreamAndNoOther() {
			try (var relay = G7RelayIT.this.world.start(options(RefusedEvents.STOP_STREAM))) {
				appendWithOneTooLarge("bad");
				G7RelayIT.this.world.append(World.ACME, "good", 3);
				G7RelayIT.this.world.awaitDrained();
				assertThat(versions("bad")).containsExactly(1L);
				assertThat(versions("good")).containsExactly(1L, 2L, 3L);
				List<Refusal> refusals = refusals(relay);
				assertThat(refusals).extracting(Refusal::status)
					.containsExactly(Refusal.Status.REFUSED, Refusal.Status.HELD);
				assertThat(refusals.get(0).reason()).contains("bytes").doesNotContain("xxx");
				await().until(() -> RelayWorld.status(relay).stoppedStreams() == 1);
				await().untilAsserted(() -> assertThat(RelayWorld.status(relay).detail())
					.contains("cannot be published: 1. ", "at position " + refusals.get(0).position() + ": ",
							refusals.get(0).reason())
					.endsWith("Consider retry, after a correction, or giveUp of the bean Relays."));
			}
		}

		@Test
		void remembersTheStopOverARestartAndGoesOnWhenTheEventIsGivenUp() {
			try (var relay = G7RelayIT.this.world.start(options(RefusedEvents.STOP_STREAM))) {
				appendWithOneTooLarge("bad");
				G7RelayIT.this.world.awaitDrained();
				assertThat(refusals(relay)).hasSize(2);
			}
			try (var relay = G7RelayIT.this.world.start(options(RefusedEvents.STOP_STREAM))) {
				G7RelayIT.this.world.append(World.ACME, "bad", 2);
				G7RelayIT.this.world.awaitDrained();
				assertThat(versions("bad")).containsExactly(1L);
				assertThat(refusals(relay)).hasSize(4);
				relay.getBean(Relays.class).giveUp(RelayWorld.RELAY, refusals(relay).get(0).position());
				await().untilAsserted(() -> assertThat(refusals(relay)).isEmpty());
				assertThat(versions("bad")).containsExactly(1L, 3L, 4L, 5L);
				await().until(() -> RelayWorld.status(relay).stoppedStreams() == 0);
				G7RelayIT.this.world.append(World.ACME, "bad", 1);
				G7RelayIT.this.world.awaitDrained();
				assertThat(versions("bad")).containsExactly(1L, 3L, 4L, 5L, 6L);
			}
		}

		@Test
		void publishesTheStreamInOrderWhenItIsTriedAgain() {
			try (var relay = G7RelayIT.this.world.start(options(RefusedEvents.STOP_STREAM))) {
				G7RelayIT.this.world.limitMessages(5_000);
				G7RelayIT.this.world.append(World.ACME, "bad", 1);
				append("bad", "y".repeat(6_000));
				G7RelayIT.this.world.append(World.ACME, "bad", 250);
				G7RelayIT.this.world.awaitDrained();
				assertThat(versions("bad")).containsExactly(1L);
				Relays relays = relay.getBean(Relays.class);
				assertThat(relays.retry(RelayWorld.RELAY, World.ACME, "bad")).isEqualTo(251);
				await()
					.untilAsserted(() -> assertThat(refusals(relay).get(0).status()).isEqualTo(Refusal.Status.REFUSED));
				assertThat(versions("bad")).containsExactly(1L);
				G7RelayIT.this.world.limitMessages(-1);
				relays.retry(RelayWorld.RELAY, World.ACME, "bad");
				for (int i = 0; i < 20; i++) { // live ones come while those behind are
												// caught up
					G7RelayIT.this.world.append(World.ACME, "bad", 1);
				}
				await().untilAsserted(() -> assertThat(refusals(relay)).isEmpty());
				G7RelayIT.this.world.awaitDrained();
				await().untilAsserted(() -> assertThat(versions("bad"))
					.containsExactlyElementsOf(LongStream.rangeClosed(1, 272).boxed().toList()));
			}
		}

		@Test
		void recordsARowThatIsNoEventAndGoesOn() {
			try (var relay = G7RelayIT.this.world.start(options(RefusedEvents.STOP_STREAM))) {
				G7RelayIT.this.world.append(World.ACME, "good", 1);
				insertWhatIsNoEvent("bad");
				G7RelayIT.this.world.append(World.ACME, "good", 2);
				G7RelayIT.this.world.awaitDrained();
				assertThat(versions("good")).containsExactly(1L, 2L, 3L);
				assertThat(refusals(relay)).singleElement().satisfies((refusal) -> {
					assertThat(refusal.status()).isEqualTo(Refusal.Status.REFUSED);
					assertThat(refusal.reason()).contains("cannot be read");
				});
				Relays relays = relay.getBean(Relays.class);
				relays.retry(RelayWorld.RELAY, World.ACME, "bad");
				await()
					.untilAsserted(() -> assertThat(refusals(relay).get(0).status()).isEqualTo(Refusal.Status.REFUSED));
				relays.giveUp(RelayWorld.RELAY, refusals(relay).get(0).position());
				assertThat(refusals(relay)).isEmpty();
				await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
			}
		}

		/** As no append leaves it. */
		private void insertWhatIsNoEvent(String stream) {
			G7RelayIT.this.world.world()
				.jdbc()
				.update("""
						insert into eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at,
						       metadata, payload)
						values (gen_random_uuid(), 'acme', ?, 1, 'Deposited', now(), '{"source": 7, "headers": 3}', '{}')""",
						stream);
		}

		@Test
		void leavesOutOnlyTheEventIfTold() {
			try (var relay = G7RelayIT.this.world.start(options(RefusedEvents.SKIP))) {
				appendWithOneTooLarge("bad");
				G7RelayIT.this.world.awaitDrained();
				assertThat(versions("bad")).containsExactly(1L, 3L);
				assertThat(refusals(relay)).extracting(Refusal::status).containsExactly(Refusal.Status.REFUSED);
			}
		}

		@Test
		void takesAnInvalidSubjectForSuchAnEvent() {
			RelayOptions byStream = options(RefusedEvents.STOP_STREAM)
				.withSubjects(G7RelayIT.this.world.world().root() + ".{tenant}.{stream}");
			try (var relay = G7RelayIT.this.world.start(byStream)) {
				G7RelayIT.this.world.append(World.ACME, "with space", 2);
				G7RelayIT.this.world.append(World.ACME, "without", 2);
				G7RelayIT.this.world.awaitDrained();
				assertThat(versions("without")).containsExactly(1L, 2L);
				assertThat(refusals(relay)).hasSize(2);
			}
		}

		private RelayOptions options(RefusedEvents policy) {
			return G7RelayIT.this.world.options().with(policy);
		}

		private void appendWithOneTooLarge(String stream) {
			G7RelayIT.this.world.append(World.ACME, stream, 1);
			append(stream, TOO_LARGE);
			G7RelayIT.this.world.append(World.ACME, stream, 1);
		}

		private void append(String stream, String text) {
			G7RelayIT.this.world.transaction()
				.executeWithoutResult((status) -> G7RelayIT.this.world.store()
					.append(World.ACME, stream, ExpectedVersion.any(), NewEvent.of(new Note(text))));
		}

		private List<Long> versions(String stream) {
			return G7RelayIT.this.world.stored()
				.stream()
				.filter((message) -> message.streamId().equals(stream))
				.map(Stored::version)
				.toList();
		}

	}

	private static List<Refusal> refusals(AnnotationConfigApplicationContext relay) {
		return relay.getBean(Relays.class).refusals(RelayWorld.RELAY, 1000);
	}

	private static void join(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** An event of any size. */
	record Note(String text) {
	}

}
