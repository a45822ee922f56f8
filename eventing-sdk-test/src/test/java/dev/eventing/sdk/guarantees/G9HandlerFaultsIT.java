package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: handlers, keys and payloads that fail in ways which used to end a thread of the
 * SDK.
 */
@Tag("crash")
class G9HandlerFaultsIT extends StruckThreads {

	@Nested
	class TheInterruptFlag {

		@ParameterizedTest
		@ValueSource(booleans = { true, false })
		void thatAHandlerLeavesSetEndsNoLane(boolean andThrows) {
			Accounts accounts = new Accounts((event) -> {
				Thread.currentThread().interrupt();
				if (andThrows && event.version() % 7 == 0 && event.amount() > 0) {
					throw new IllegalStateException("interrupted");
				}
			});
			ProjectorSettings settings = ProjectorSettings.builder()
				.maxDeliver(2)
				.batchSize(5)
				.concurrency(1)
				.retryDelay(Duration.ofMillis(1))
				.build();
			try (AnnotationConfigApplicationContext application = G9HandlerFaultsIT.this.world
				.start(application(accounts).with(settings))) {
				G9HandlerFaultsIT.this.world.publish(World.ACME, "a", 1, 6);
				G9HandlerFaultsIT.this.world.publish(World.ACME, "b", 1, 14);
				G9HandlerFaultsIT.this.world.publish(World.ACME, "c", 1, 1);
				awaitVersion("a", 6);
				awaitVersion("b", andThrows ? 6 : 14);
				awaitVersion("c", 1);
				await()
					.untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).inFlight()).isZero());
				assertThat(G9HandlerFaultsIT.this.world.deadLetters(Accounts.PROJECTOR)).hasSize(andThrows ? 8 : 0);
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			}
		}

	}

	@Nested
	class AnError {

		@Test
		void whileAPayloadIsBoundCostsOneDeadLetterAndNoLane() {
			try (AnnotationConfigApplicationContext application = start(new Binding())) {
				publish("a", 1);
				publish("broken", 1);
				publish("a", 2);
				await()
					.untilAsserted(() -> assertThat(World.status(application, Binding.PROJECTOR).counts().processed())
						.isEqualTo(2));
				await().untilAsserted(
						() -> assertThat(G9HandlerFaultsIT.this.world.deadLetters(Binding.PROJECTOR)).singleElement()
							.satisfies((letter) -> assertThat(letter.failure().errorClass())
								.isEqualTo(NoClassDefFoundError.class.getName())));
			}
		}

		@Test
		void inAKeyExpressionCostsOneDeadLetterAndNotTheIntake() {
			try (AnnotationConfigApplicationContext application = start(new Keyed())) {
				publish("a", 1);
				publish("broken", 1);
				publish("a", 2);
				await().untilAsserted(
						() -> assertThat(World.status(application, Keyed.PROJECTOR).counts().processed()).isEqualTo(2));
				await().untilAsserted(
						() -> assertThat(G9HandlerFaultsIT.this.world.deadLetters(Keyed.PROJECTOR)).singleElement()
							.extracting(DeadLetter::reason)
							.isEqualTo("UNREADABLE:INVALID_KEY"));
				assertThat(World.status(application, Keyed.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			}
		}

		private void publish(String account, long version) {
			G9HandlerFaultsIT.this.world.publish(World.ACME, account, version, version);
		}

	}

	/** Takes payloads of a class that cannot be made for one account. */
	static class Binding {

		static final String PROJECTOR = "binding";

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = PROJECTOR, retryDelay = 10)
		public void on(Binding.Deposited event) {
			assertThat(event.account()).isNotEqualTo("broken");
		}

		record Deposited(String account, long version, long amount) {

			Deposited {
				if (account.equals("broken")) {
					throw new NoClassDefFoundError("of the test");
				}
			}

		}

	}

	/** Keeps order by what cannot be told of one account. */
	static class Keyed {

		static final String PROJECTOR = "keyed";

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = PROJECTOR, retryDelay = 10,
				key = "payload.owner")
		public void on(Keyed.Deposited event) {
			assertThat(event.account()).isNotEqualTo("broken");
		}

		public record Deposited(String account, long version, long amount) {

			public String getOwner() {
				if (this.account.equals("broken")) {
					throw new NoClassDefFoundError("of the test");
				}
				return this.account;
			}

		}

	}

}
