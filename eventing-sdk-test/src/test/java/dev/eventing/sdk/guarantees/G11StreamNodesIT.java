package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * G11: three nodes, two versions of the code. In each step of a build and of a switch,
 * which the test holds up, its owner dies or freezes for longer than its lease. The
 * others continue, a thawed owner changes nothing, and no version writes to the other's
 * tables: version 2 counts each amount twice. The projector reads JetStream, and has no
 * check.
 */
@Tag("bulk")
class G11StreamNodesIT extends NodesSetup {

	G11StreamNodesIT() {
		super(First.class, Second.class);
	}

	@ParameterizedTest
	@EnumSource
	void goesOnWhicheverOwnerIsStruckInWhicheverStep(Strike strike) throws Exception {
		strikeInEachStep(strike);
	}

	@Override
	void append(int version, double pause) {
		for (int account = 0; account < ACCOUNTS; account++) {
			this.world.publish(World.ACME, "a" + account, version + 1, version + 1);
			if (pause > 0) {
				this.world.jdbc().queryForObject("select pg_sleep(?)::text", String.class, pause);
			}
		}
	}

	@Override
	void assertThatNothingIsLeft() {
		super.assertThatNothingIsLeft();
		PublishedAccounts.assertThatNoFillingIsLeft(this.world, PROJECTOR);
	}

	/** Counts each amount once. */
	@Projector(value = PROJECTOR, tables = { "account", "violations" })
	static class First {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 2)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

	/** Counts each amount twice. */
	@Projector(value = PROJECTOR, version = 2, tables = { "account", "violations" })
	static class Second extends First {

		@Override
		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.jdbc.queryForObject("select parked(2)", Boolean.class);
			World.apply(this.jdbc, new Deposited(event.account(), event.version(), 2 * event.amount()), tenantId);
		}

	}

}
