package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * The server ends the session of a handler that takes too long in its transaction. That
 * is about the event, and not an outage.
 */
class G5SlowTransactionIT {

	private static final String SLOW = "slow";

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@ValueSource(strings = { "idle_in_transaction_session_timeout", "transaction_timeout" })
	void isADeadLetterAfterOneRepeat(String timeout) {
		assumeThat(this.world.count("select count(*) from pg_settings where name = '" + timeout + "'"))
			.as("the server has the setting")
			.isEqualTo(1);
		CountDownLatch never = new CountDownLatch(1);
		Accounts accounts = new Accounts() {

			@Override
			public void on(Deposited event, UUID eventId, String tenantId) {
				if (event.account().equals(SLOW)) {
					awaitQuietly(never);
				}
				super.on(event, eventId, tenantId);
			}
		};
		this.world.setDefault(timeout, "700ms");
		ProjectorSettings settings = ProjectorSettings.builder().maxDeliver(1).concurrency(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(settings))) {
			this.world.publish(World.ACME, "a", 1, 2);
			this.world.publish(World.ACME, SLOW, 1, 1);
			this.world.publish(World.ACME, "b", 1, 2);
			await().until(() -> this.world.version(World.ACME, "b") == 2);
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("ATTEMPTS_EXHAUSTED"));
			assertThat(accounts.calledVersions(SLOW)).hasSizeLessThanOrEqualTo(4);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(2);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** It would run for ever, and hold up all later redrives of the projector. */
	@Test
	void isParkedAgainIfItIsARedrive() {
		CountDownLatch never = new CountDownLatch(1);
		AtomicInteger runs = new AtomicInteger();
		Accounts accounts = new Accounts() {

			@Override
			public void on(Deposited event, UUID eventId, String tenantId) {
				if (event.account().equals(SLOW) && runs.incrementAndGet() == 1) {
					throw new Accounts.Refused();
				}
				if (event.account().equals(SLOW)) {
					awaitQuietly(never);
				}
				super.on(event, eventId, tenantId);
			}
		};
		this.world.setDefault("idle_in_transaction_session_timeout", "700ms");
		ProjectorSettings settings = ProjectorSettings.builder().maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(settings))) {
			this.world.publish(World.ACME, SLOW, 1, 1);
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("ATTEMPTS_EXHAUSTED"));
			application.getBean(DeadLetters.class).redrive(RedriveRequest.of(DeadLetterFilter.ALL, "ops"));
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("REDRIVE_FAILED"));
			// its first run, the redrive, and the redrive's one repeat
			assertThat(runs).hasValue(3);
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			assertThat(latch.await(Duration.ofMillis(1500).toMillis(), TimeUnit.MILLISECONDS)).isFalse();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
