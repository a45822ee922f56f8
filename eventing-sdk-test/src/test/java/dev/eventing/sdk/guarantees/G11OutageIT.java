package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.awaitility.Awaitility.await;

/**
 * G10 and G11: whenever PostgreSQL or NATS is killed while a read model is rebuilt in
 * place, built beside, switched to and fro and retired, it ends as that of all events,
 * and nothing is left over. Events are appended meanwhile in transactions that commit
 * late.
 */
@Tag("crash")
class G11OutageIT extends OutageSetup {

	G11OutageIT() {
		super(Struck::new);
	}

	@Test
	@Timeout(600)
	void endsAsThatOfAllEventsWhicheverServerIsKilled() throws Exception {
		rebuildWhileServersAreKilled();
	}

	/** An event for each account of the writer, in one transaction that may last. */
	@Override
	int append(int writer, int version, double pause) {
		try {
			return this.world.inTransaction((store) -> {
				for (int account = 0; account < ACCOUNTS; account++) {
					String name = "w" + writer + "-" + account;
					store.append(World.ACME, this.world.storedStream(name), ExpectedVersion.exact(version),
							NewEvent.of(new Deposited(name, version + 1, version + 1)));
					if (pause > 0) {
						passTime((long) (pause * 1000));
					}
				}
				return version + 1;
			});
		}
		catch (RuntimeException ex) { // the database is away
			return Math.toIntExact(await().atMost(PATIENCE)
				.ignoreExceptions()
				.until(() -> stored(writer), (found) -> found >= version));
		}
	}

	private long stored(int writer) {
		return this.world.count("select count(*) from eventing.events where payload->>'account' = 'w" + writer + "-0'");
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
	@Projector(value = PROJECTOR, tables = { "account", "violations" })
	static class Struck {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				batchSize = 20)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
