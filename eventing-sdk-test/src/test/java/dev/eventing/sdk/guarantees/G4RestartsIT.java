package dev.eventing.sdk.guarantees;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.api.ConsumerInfo;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G4: only attempts of a handler count towards maxDeliver; being delivered to a process
 * that dies before its handler ran does not.
 */
@Tag("crash")
class G4RestartsIT {

	private static final int MAX_DELIVER = 3;

	private static final int ACCOUNTS = 10;

	private static final int VERSIONS = 20;

	private static final int EVENTS = ACCOUNTS * VERSIONS;

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Accounts.class);

	@AutoClose
	private final World world = World.create();

	@Test
	void countsNoDeliveryToAProcessThatDiedBeforeTheHandlerRan() {
		List<Event<Deposited>> events = new ArrayList<>();
		for (int account = 0; account < ACCOUNTS; account++) {
			for (int version = 1; version <= VERSIONS; version++) {
				events.add(this.world.deposit(World.ACME, "a" + account, version));
			}
		}
		events.forEach(this.world::publish);
		whileAnotherTransactionHasClaimed(events, () -> {
			for (int restart = 0; restart <= MAX_DELIVER + 1; restart++) {
				killOnceAllIsDelivered();
			}
		});
		assertThat(this.world.count("select count(*) from account")).isZero();
		this.projector.start(this.world);
		await().atMost(Patience.PROCESS).until(() -> this.world.hasSettledAll("Accounts-on"));
		assertThat(this.world.deadLetters("Accounts-on")).isEmpty();
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		assertThat(this.world.jdbc().queryForList("select version from account", Long.class)).hasSize(ACCOUNTS)
			.containsOnly((long) VERSIONS);
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
	}

	/** As a former owner has whose machine stands still. */
	private void whileAnotherTransactionHasClaimed(List<Event<Deposited>> events, Runnable action) {
		TransactionTemplate transaction = new TransactionTemplate(
				new JdbcTransactionManager(this.world.jdbc().getDataSource()));
		transaction.executeWithoutResult((status) -> {
			this.world.jdbc()
				.batchUpdate("""
						insert into eventing.processed_events (projector_name, event_id, tenant_id)
						values ('Accounts-on', ?, ?)""",
						events.stream().map((event) -> new Object[] { event.id(), World.ACME.value() }).toList());
			action.run();
			status.setRollbackOnly();
		});
	}

	private void killOnceAllIsDelivered() {
		Instant before = Instant.now();
		List<Integer> others = waitingForTheClaim();
		this.projector.start(this.world);
		this.projector.awaitReady();
		await().ignoreExceptionsInstanceOf(IllegalStateException.class).until(() -> allIsDeliveredAfter(before));
		await().until(() -> !others.containsAll(waitingForTheClaim()));
		this.projector.kill();
		assertThat(durable().getNumAckPending()).as("deliveries under way").isEqualTo(EVENTS);
	}

	private boolean allIsDeliveredAfter(Instant before) {
		ConsumerInfo durable = durable();
		ZonedDateTime delivered = durable.getDelivered().getLastActive();
		return durable.getNumAckPending() == EVENTS && delivered != null && delivered.toInstant().isAfter(before);
	}

	/** Database processes that want to claim; also of killed clients. */
	private List<Integer> waitingForTheClaim() {
		return this.world.jdbc()
			.queryForList("select pid from pg_locks where locktype = 'transactionid' and not granted", Integer.class);
	}

	private ConsumerInfo durable() {
		return this.world
			.jetStream((management) -> management.getConsumerInfo(this.world.stream(), "Accounts-on-consumer"));
	}

	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", maxDeliver = MAX_DELIVER)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
