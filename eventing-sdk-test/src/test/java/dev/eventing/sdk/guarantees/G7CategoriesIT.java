package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.guarantees.RelayWorld.Stored;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.relay.Republished;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G7: a relay leaves no event out in silence because a category is misspelt, or was added
 * when the relay had read further.
 */
@ExtendWith(OutputCaptureExtension.class)
class G7CategoriesIT {

	private static final String NO_EVENT = "of which no event was found in the event store";

	private static final String PASSED_OVER = "had read the event store up to position";

	@AutoClose
	private final RelayWorld world = RelayWorld.create();

	@Nested
	class ThatNoEventHas {

		@Test
		void areNamedOnceWithTheSimilarOneOfTheStore(CapturedOutput output) {
			append("loan-17", 2);
			append("desk-1", 1);
			try (var relay = start("loans")) {
				awaitRead(3);
				Relays relays = relay.getBean(Relays.class);
				await().until(() -> detail(relay).contains("which has 'loan'"));
				relays.stop(RelayWorld.RELAY);
				relays.start(RelayWorld.RELAY);
				await().until(() -> detail(relay).contains("Consider eventing.relays.accounts.categories."));
				assertThat(status(relay).state()).isEqualTo(RelayState.RUNNING);
				assertThat(lines(output, NO_EVENT)).singleElement()
					.asString()
					.contains("WARN", "Relay 'accounts' publishes category 'loans'",
							"It has 'loan'. Consider 'loan' in eventing.relays.accounts.categories.");
				append("loans-1", 1);
				awaitRead(4);
				await().until(() -> detail(relay).isEmpty());
			}
			assertThat(G7CategoriesIT.this.world.stored()).extracting(Stored::streamId).containsExactly("loans-1");
		}

		@Test
		void areNamedThoughAllTheEventsWereReadBefore(CapturedOutput output) {
			append("loan-17", 2);
			try (var relay = start("loans")) {
				awaitRead(2);
			}
			try (var relay = start("loans")) {
				await().until(() -> detail(relay).contains("which has 'loan'"));
				assertThat(lines(output, NO_EVENT)).as("once in each process").hasSize(2);
			}
		}

		/** As in a new application. */
		@Test
		void areNamedWhenTheFirstEventOfASimilarOneComes(CapturedOutput output) {
			try (var relay = start("loans")) {
				await().until(() -> status(relay).state() == RelayState.RUNNING);
				assertThat(lines(output, NO_EVENT)).isEmpty();
				append("loan-17", 2);
				await().until(() -> detail(relay).contains("which has 'loan'"));
				assertThat(lines(output, NO_EVENT)).singleElement().asString().contains("WARN", "It has 'loan'.");
			}
		}

		@Test
		void areNotedWhereTheStoreHasNoSimilarOne(CapturedOutput output) {
			append("loan-17", 2);
			try (var relay = start("reservation")) {
				awaitRead(2);
				await().untilAsserted(() -> assertThat(lines(output, NO_EVENT)).singleElement()
					.asString()
					.contains("INFO", "Relay 'accounts' publishes category 'reservation'"));
				assertThat(detail(relay)).isEmpty();
			}
		}

		@Test
		void areNotThoseWhoseEventsLieFarBack(CapturedOutput output) {
			append("card-1", 1);
			G7CategoriesIT.this.world.world().jdbc().execute("""
					insert into eventing.events
					       (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
					select gen_random_uuid(), 'acme', 'cart-1', n, 'Deposited', now(), '{}', '{"source": "test"}'
					  from generate_series(1, 10000) n""");
			try (var relay = start("card")) {
				awaitRead(10_001);
				append("card-1", 1);
				awaitRead(10_002);
				assertThat(lines(output, NO_EVENT)).isEmpty();
				assertThat(detail(relay)).isEmpty();
			}
		}

		@Test
		void areLookedUpInABoundedTime(CapturedOutput output) throws Exception {
			append("loan-17", 1);
			try (HikariDataSource pool = World.dataSource(G7CategoriesIT.this.world.world().jdbcUrl());
					Connection other = pool.getConnection()) {
				other.setAutoCommit(false);
				other.createStatement().execute("lock table eventing.streams in access exclusive mode");
				try (var relay = start("loans")) {
					awaitRead(1);
					await().until(() -> detail(relay).contains("which has 'loan'"));
					assertThat(status(relay).state()).isEqualTo(RelayState.RUNNING);
					assertThat(lines(output, "Relay 'accounts' is")).isEmpty();
				}
				other.rollback();
			}
		}

	}

	@Nested
	class ThatAreAddedLater {

		@Test
		void areNamedAtEachStartUntilTheirEarlierEventsArePublished(CapturedOutput output) {
			append("loan-17", 3);
			run("loans");
			try (var relay = start("loan")) {
				append("loan-18", 1);
				awaitRead(4);
				await().until(() -> detail(relay)
					.startsWith("Up to position 3 it has not published the categories [loan]. Consider "));
			}
			assertThat(streams()).containsExactly("loan-18");
			try (var relay = start("loan")) {
				await().until(() -> detail(relay).startsWith("Up to position 3 "));
				assertThat(lines(output, PASSED_OVER)).hasSize(2)
					.allSatisfy((line) -> assertThat(line).contains("WARN",
							"Relay 'accounts' had read the event store up to position 3 when the categories [loan] were"
									+ " added.",
							"Consider publishPassedOver(\"accounts\") of the bean Relays, or"
									+ " acceptPassedOver(\"accounts\")"));
				assertThat(relay.getBean(Relays.class).publishPassedOver(RelayWorld.RELAY).published()).isEqualTo(3);
				await().until(() -> detail(relay).isEmpty());
			}
			assertThat(streams()).containsExactly("loan-18", "loan-17", "loan-17", "loan-17");
			run("loan");
			assertThat(lines(output, PASSED_OVER)).hasSize(2);
		}

		/**
		 * Positions that were rolled back look like those that an open append may have.
		 */
		@Test
		void arePublishedWhileATransactionAppends() throws Exception {
			rollBack("loan-17");
			append("loan-17", 2);
			rollBack("loan-17");
			append("loan-17", 1);
			run("copy");
			try (var relay = start("loan")) {
				await().until(() -> detail(relay).contains("the categories [loan]"));
				Relays relays = relay.getBean(Relays.class);
				Republished done = whileAppending(() -> relays.publishPassedOver(RelayWorld.RELAY));
				assertThat(done).isEqualTo(new Republished(3, 0, 0));
			}
			assertThat(streams()).containsExactly("loan-17", "loan-17", "loan-17");
		}

		/** Behind the position of the relay the append may fill the hole. */
		@Test
		void areReadUpToTheEndOfARangeWhoseHolesAreOpen() throws Exception {
			append("loan-17", 1);
			run("copy");
			try (var relay = start("copy")) {
				Relays relays = relay.getBean(Relays.class);
				await().until(() -> status(relay).state() == RelayState.RUNNING);
				relays.stop(RelayWorld.RELAY);
				CompletableFuture<Republished> done = whileAppending(() -> {
					append("copy-1", 1);
					CompletableFuture<Republished> beside = CompletableFuture
						.supplyAsync(() -> relays.republish(RelayWorld.RELAY, 1, 3));
					Steady.holds(Duration.ofMillis(200), () -> !beside.isDone());
					return beside;
				});
				assertThat(done.orTimeout(30, TimeUnit.SECONDS).join().published()).isEqualTo(1);
			}
			assertThat(streams()).containsExactly("copy-1");
		}

		/** What is read already may have contents that are erased. */
		@Test
		void areNotPublishedAgainAfterAnErasure() throws Exception {
			append("copy-1", 1);
			run("loan");
			try (var relay = start("copy")) {
				Relays relays = relay.getBean(Relays.class);
				await().until(() -> status(relay).state() == RelayState.RUNNING);
				relays.stop(RelayWorld.RELAY);
				CompletableFuture<Republished> stopped = whileAppending(() -> {
					append("copy-1", 1);
					CompletableFuture<Republished> beside = CompletableFuture
						.supplyAsync(() -> relays.republish(RelayWorld.RELAY, 1, 3));
					await().until(() -> !streams().isEmpty());
					G7CategoriesIT.this.world.world().jdbc().update("""
							insert into eventing.erasures (tenant_id, stream_id, actor, reason, erased)
							values ('acme', 'other-1', 'test', 'test', '[]')""");
					await().until(beside::isDone);
					return beside;
				});
				assertThat(stopped).failsWithin(Duration.ofSeconds(1))
					.withThrowableOfType(ExecutionException.class)
					.withMessageContaining(OperatorMustActException.class.getName())
					.withMessageContaining("before position 2, because contents of events were erased");
			}
			assertThat(streams()).containsExactly("copy-1");
		}

		@Test
		void publishNothingTwiceOfTheOthers() {
			append("copy-1", 1);
			append("loan-17", 2);
			append("copy-1", 1);
			run("loan");
			try (var relay = start("loan", "copy")) {
				await().until(() -> detail(relay).contains("the categories [copy]"));
				Relays relays = relay.getBean(Relays.class);
				assertThat(relays.publishPassedOver(RelayWorld.RELAY)).isEqualTo(new Republished(2, 0, 0));
				assertThat(relays.publishPassedOver(RelayWorld.RELAY)).isEqualTo(new Republished(0, 0, 0));
			}
			assertThat(streams()).containsExactly("loan-17", "loan-17", "copy-1", "copy-1");
		}

		@Test
		void areNamedNoMoreAfterAnOperatorHasAcceptedIt(CapturedOutput output) {
			append("loan-17", 3);
			run("loans");
			try (var relay = start("loan")) {
				await().until(() -> !detail(relay).isEmpty());
				assertThat(relay.getBean(Relays.class).acceptPassedOver(RelayWorld.RELAY)).isTrue();
				await().until(() -> detail(relay).isEmpty());
				assertThat(relay.getBean(Relays.class).acceptPassedOver(RelayWorld.RELAY)).isFalse();
			}
			run("loan");
			assertThat(lines(output, PASSED_OVER)).hasSize(1);
			assertThat(streams()).isEmpty();
		}

		@Test
		void areNotNamedIfTheirFirstEventComesLater(CapturedOutput output) {
			append("loan-17", 3);
			run("loan");
			append("copy-1", 2);
			run("loan", "copy");
			assertThat(lines(output, PASSED_OVER)).isEmpty();
			assertThat(streams()).containsExactly("loan-17", "loan-17", "loan-17", "copy-1", "copy-1");
		}

		@Test
		void areNotNamedIfTheRelayHasReadNothing(CapturedOutput output) {
			run("loans");
			append("loan-17", 3);
			run("loan");
			assertThat(lines(output, PASSED_OVER)).isEmpty();
			assertThat(streams()).hasSize(3);
		}

		@Test
		void areNamedWhereARelayOfAllCategoriesWasOneOfSomeMeanwhile(CapturedOutput output) {
			append("copy-1", 1);
			run();
			append("loan-17", 1);
			run("loan");
			assertThat(lines(output, PASSED_OVER)).isEmpty();
			append("copy-1", 1);
			run("loan");
			run();
			assertThat(lines(output, PASSED_OVER)).singleElement()
				.asString()
				.contains("up to position 3 when all categories but [loan] were added.");
		}

		@Test
		void areNotNamedAfterThePositionWasSetBack(CapturedOutput output) {
			append("loan-17", 3);
			run("loans");
			run("loan");
			assertThat(lines(output, PASSED_OVER)).hasSize(1);
			assertThat(streams()).isEmpty();
			G7CategoriesIT.this.world.world().jdbc().update("update eventing.relay_positions set position = 0");
			run("loan");
			run("loan");
			assertThat(lines(output, PASSED_OVER)).hasSize(1);
			assertThat(streams()).hasSize(3);
		}

		/** A warning too many loses nothing. */
		@Test
		void areNamedWhereTheSearchForTheirEventsTakesTooLong(CapturedOutput output) throws Exception {
			append("loan-17", 1);
			run("loan");
			try (HikariDataSource pool = World.dataSource(G7CategoriesIT.this.world.world().jdbcUrl());
					Connection other = pool.getConnection()) {
				other.setAutoCommit(false);
				other.createStatement().execute("lock table eventing.streams in access exclusive mode");
				try (var relay = start("loan", "copy")) {
					await().until(() -> detail(relay).contains("the categories [copy]"));
					assertThat(lines(output, PASSED_OVER)).hasSize(1);
				}
				other.rollback();
			}
		}

		/** A position has been drawn meanwhile, and is rolled back in the end. */
		private <T> T whileAppending(Callable<T> call) throws Exception {
			try (HikariDataSource pool = World.dataSource(G7CategoriesIT.this.world.world().jdbcUrl());
					Connection other = pool.getConnection()) {
				other.setAutoCommit(false);
				other.createStatement().execute("""
						insert into eventing.events
						       (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload,
						        metadata)
						values (gen_random_uuid(), 'acme', 'open-1', 1, 'Deposited', now(), '{}',
						        '{"source": "test"}')""");
				T called = call.call();
				other.rollback();
				return called;
			}
		}

		private void rollBack(String stream) {
			G7CategoriesIT.this.world.transaction().executeWithoutResult((status) -> {
				append(stream, 1);
				status.setRollbackOnly();
			});
		}

		private void run(String... categories) {
			try (var relay = start(categories)) {
				await().until(() -> status(relay).state() == RelayState.RUNNING);
				awaitRead(G7CategoriesIT.this.world.world().count("select count(*) from eventing.events"));
			}
		}

		private List<String> streams() {
			return G7CategoriesIT.this.world.stored().stream().map(Stored::streamId).toList();
		}

	}

	@Test
	void arePublishedWithoutAWordIfAllIsWell(CapturedOutput output) {
		append("loan-17", 1);
		try (var relay = start("loan")) {
			awaitRead(1);
			Steady.holds(Duration.ofMillis(200), () -> detail(relay).isEmpty());
		}
		assertThat(output.getOut()).doesNotContain(NO_EVENT, PASSED_OVER);
	}

	private AnnotationConfigApplicationContext start(String... categories) {
		RelayOptions options = this.world.options().withCategories(categories);
		return this.world.start(options);
	}

	private void append(String stream, int events) {
		this.world.append(World.ACME, stream, events);
	}

	private void awaitRead(long position) {
		await().until(() -> this.world.world().count("select max(position) from eventing.relay_positions") >= position);
	}

	private static RelayStatus status(AnnotationConfigApplicationContext relay) {
		return RelayWorld.status(relay);
	}

	private static String detail(AnnotationConfigApplicationContext relay) {
		return status(relay).detail();
	}

	private static List<String> lines(CapturedOutput output, String part) {
		return output.getOut().lines().filter((line) -> line.contains(part)).toList();
	}

}
