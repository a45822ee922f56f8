package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

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
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(new Accounts()))) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().untilAsserted(() -> assertThat(this.world.version(World.ACME, "a")).isEqualTo(3));
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(3);
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).inFlight()).isZero());
			assertThat(World.status(application, Accounts.PROJECTOR).counts().processed()).isEqualTo(3);
		}
	}

	@Test
	void leavesNothingOfAHandlerThatWritesThenThrows() {
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("bad")) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(accounts))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			this.world.publish(World.ACME, "good", 1, 2);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1
					&& this.world.version(World.ACME, "good") == 2);
			assertThat(accounts.calledVersions("bad")).hasSizeGreaterThanOrEqualTo(3);
			assertThat(this.world.version(World.ACME, "bad")).isZero();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(2);
		}
	}

	@Test
	void leavesNothingOfAnEventWhoseCommitFailsAndAppliesTheRestOfItsBatch() {
		this.world.jdbc().execute("create table allowed (amount bigint primary key)");
		this.world.jdbc().execute("insert into allowed select * from generate_series(1, 39)");
		this.world.jdbc()
			.execute(
					"alter table account add foreign key (version) references allowed (amount) deferrable initially deferred");
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(accounts))) {
			for (int account = 0; account < 20; account++) {
				this.world.publish(World.ACME, "a" + account, 1, 1);
			}
			this.world.publish(World.ACME, "bad", 1, 40);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1);
			assertThat(this.world.version(World.ACME, "bad")).isEqualTo(39);
			assertThat(this.world.count("select count(*) from account where version = 1")).isEqualTo(20);
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(59);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("ATTEMPTS_EXHAUSTED");
		}
	}

	@Test
	void runsNoHandlerForAnEventPublishedAgainUnderAnotherSequence() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(accounts))) {
			Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
			this.world.publish(event);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 1);
			await().pollInterval(Duration.ofMillis(50)).until(() -> {
				this.world.publish(event);
				return World.status(application, Accounts.PROJECTOR).counts().duplicates() >= 2;
			});
			assertThat(accounts.calls).hasSize(1);
			assertThat(this.world.count("select total from account")).isEqualTo(1);
		}
	}

	@Test
	void runsTheHandlerOnceForAnEventThatStandsTwiceInOneBatch() {
		Accounts accounts = new Accounts();
		Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
		this.world.publish(event);
		await().pollInterval(Duration.ofMillis(50)).until(() -> !this.world.publish(event).duplicate());
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(accounts))) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().duplicates() == 1);
			assertThat(accounts.calls).hasSize(1);
		}
	}

	@Test
	void runsNoHandlerForADeliveryThatComesAgainAfterTheCommit() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(accounts))) {
			this.world.publish(World.ACME, "a", 1, 5);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
		}
		this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), "accounts-consumer"));
		this.world.jdbc().update("delete from eventing.projector_positions");
		try (AnnotationConfigApplicationContext application = this.world.start(World.Application.of(accounts))) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().duplicates() == 5);
			assertThat(accounts.calledVersions("a")).isEqualTo(List.of(1L, 2L, 3L, 4L, 5L));
		}
	}

	@Test
	void usesOneTransactionForManyWaitingEvents() {
		this.world.publish(World.ACME, "a", 1, 100);
		ProjectorSettings batches = ProjectorSettings.NONE;
		try (AnnotationConfigApplicationContext application = this.world
			.start(World.Application.of(new Accounts()).with(batches))) {
			await().until(() -> this.world.version(World.ACME, "a") == 100);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 100);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().transactions()).isLessThan(50);
		}
	}

}
