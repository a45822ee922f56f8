package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * G10: wherever in a rebuild the process dies, the read model ends as if nothing had
 * happened. The projector reads JetStream, and events are published meanwhile.
 */
@Tag("bulk")
class G10KilledStreamRebuildIT extends KilledRebuildSetup {

	private final PublishedAccounts published = new PublishedAccounts();

	G10KilledStreamRebuildIT() {
		super(Accounts.class);
	}

	@Test
	void endsAsIfNothingHadHappenedHoweverOftenItsProcessIsKilled() throws Exception {
		rebuildWhileItsProcessIsKilled();
		PublishedAccounts.assertThatNoFillingIsLeft(this.world, PROJECTOR);
	}

	/** An event for each account of the writer. */
	@Override
	void append(int writer, int version, double pause) {
		for (int account = 0; account < ACCOUNTS; account++) {
			String name = "w" + writer + "-" + account;
			this.world.publish(World.ACME, name, version + 1, version + 1);
			this.published.add(name, version + 1L);
		}
		passTime(Math.round(pause * 1000));
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

	/** The read model. */
	@Projector(value = PROJECTOR, tables = "account")
	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 3, batchSize = 20)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
