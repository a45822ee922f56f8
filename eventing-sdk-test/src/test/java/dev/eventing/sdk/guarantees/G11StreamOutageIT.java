package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.nats.NatsUnavailableException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.awaitility.Awaitility.await;

/**
 * G10 and G11: whenever PostgreSQL or NATS is killed while a read model is rebuilt in
 * place, built beside, switched to and fro and retired, it ends as that of all events,
 * and nothing is left over. The projector reads JetStream. An event whose publication was
 * not confirmed is published again.
 */
@Tag("bulk")
class G11StreamOutageIT extends OutageSetup {

	private final PublishedAccounts published = new PublishedAccounts();

	G11StreamOutageIT() {
		super(Struck::new);
	}

	@Test
	@Timeout(600)
	void endsAsThatOfAllEventsWhicheverServerIsKilled() throws Exception {
		rebuildWhileServersAreKilled();
	}

	/** An event for each account of the writer. */
	@Override
	int append(int writer, int version, double pause) {
		for (int account = 0; account < ACCOUNTS; account++) {
			String name = "w" + writer + "-" + account;
			publish(this.world.deposit(World.ACME, name, version + 1));
			this.published.add(name, version + 1L);
			passTime((long) (pause * 1000));
		}
		return version + 1;
	}

	private void publish(Event<Deposited> event) {
		try {
			this.world.publish(event);
		}
		catch (NatsUnavailableException ex) {
			await().atMost(PATIENCE)
				.ignoreExceptionsInstanceOf(NatsUnavailableException.class)
				.until(() -> this.world.publish(event) != null);
		}
	}

	@Override
	long events() {
		return this.published.events();
	}

	@Override
	boolean isAtHead() {
		return this.world.hasSettledAll(PROJECTOR);
	}

	@Override
	void assertThatAllEventsAreIn() {
		this.published.assertThatAllAreIn(this.world.jdbc(), "account");
	}

	@Override
	void assertThatNothingIsLeft() {
		super.assertThatNothingIsLeft();
		PublishedAccounts.assertThatNoFillingIsLeft(this.world, PROJECTOR);
	}

	/** The read model. */
	@Projector(value = PROJECTOR, tables = { "account", "violations" })
	static class Struck {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 3, batchSize = 20)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
