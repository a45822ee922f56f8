package dev.eventing.sdk.guarantees;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G1: an event's effects and its row in processed_events commit together or not at all; a
 * duplicate runs no handler.
 */
class G1TransactionIT {

	private World world;

	@BeforeEach
	void create() {
		this.world = World.create();
	}

	@AfterEach
	void close() {
		this.world.close();
	}

	@Test
	void appliesAnEventAndItsRowInOneTransaction() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(accounts))) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().untilAsserted(() -> assertThat(this.world.version(World.ACME, "a")).isEqualTo(3));
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(3);
			await().untilAsserted(() -> assertThat(World.status(application, "Accounts-on").inFlight()).isZero());
			assertThat(World.status(application, "Accounts-on").counts().processed()).isEqualTo(3);
		}
	}

	@Test
	void runsNoHandlerForAnEventPublishedAgainUnderAnotherSequence() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(accounts))) {
			Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
			this.world.publish(event);
			await().until(() -> World.status(application, "Accounts-on").counts().processed() == 1);
			await().until(() -> {
				this.world.publish(event);
				return World.status(application, "Accounts-on").counts().duplicates() >= 2;
			});
			assertThat(accounts.calls).hasValue(1);
			assertThat(this.world.count("select total from account")).isEqualTo(1);
		}
	}

	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		private final AtomicInteger calls = new AtomicInteger();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.calls.incrementAndGet();
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
