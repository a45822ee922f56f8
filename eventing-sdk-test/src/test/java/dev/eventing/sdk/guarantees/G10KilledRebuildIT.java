package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * G10: wherever in a rebuild the process dies, the read model ends as if nothing had
 * happened, while events are appended in transactions that commit late.
 */
@Tag("crash")
class G10KilledRebuildIT extends KilledRebuildSetup {

	G10KilledRebuildIT() {
		super(Accounts.class);
	}

	@Test
	void endsAsIfNothingHadHappenedHoweverOftenItsProcessIsKilled() throws Exception {
		rebuildWhileItsProcessIsKilled();
	}

	/** An event for each account of the writer, in one transaction that may last. */
	@Override
	void append(int writer, int version, double pause) {
		this.world.inTransaction((store) -> {
			for (int account = 0; account < ACCOUNTS; account++) {
				String name = "w" + writer + "-" + account;
				store.append(World.ACME, this.world.storedStream(name), ExpectedVersion.exact(version),
						NewEvent.of(new Deposited(name, version + 1, version + 1)));
			}
			if (pause > 0) {
				this.world.jdbc().queryForObject("select pg_sleep(?)::text", String.class, pause);
			}
			return version;
		});
	}

	@Override
	long events() {
		return this.world.count("select count(*) from eventing.events");
	}

	@Override
	boolean isAtHead() {
		return this.world.checkpoint(PROJECTOR) == this.world.count("select max(global_position) from eventing.events");
	}

	@Override
	void assertThatAllEventsAreIn() {
		AppendedAccounts.assertThatAllAreIn(this.world.jdbc(), "account");
	}

	/** The read model. */
	@Projector(value = PROJECTOR, tables = "account")
	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				batchSize = 20)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
