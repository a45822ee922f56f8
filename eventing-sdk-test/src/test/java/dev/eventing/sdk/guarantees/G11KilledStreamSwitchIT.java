package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * G11: whichever node dies or freezes while a generation is built, switched to and from,
 * and retired, readers see nothing of it, no request waits for ever, and nothing is lost,
 * applied twice or left behind. The projector reads JetStream, and events are published
 * meanwhile.
 */
@Tag("crash")
class G11KilledStreamSwitchIT extends KilledSwitchSetup {

	private static final String PROJECTOR = "streamed";

	private static final int WRITERS = 8;

	private final PublishedAccounts published = new PublishedAccounts();

	G11KilledStreamSwitchIT() {
		super(PROJECTOR, WRITERS, Accounts.class);
	}

	@Test
	void showsReadersNothingOfItWhicheverNodeIsKilled() throws Exception {
		startNodes();
		switchWhileNodesDie(10, 2, "public", "The tables moved between the schemas.");
	}

	@Test
	void showsReadersNothingOfItWhereSchemasChangeNames() throws Exception {
		switchWhereSchemasChangeNamesAndNodesDie(10, 2);
	}

	/** An event for each account of the writer. */
	@Override
	void append(int writer, int version, double pause) {
		for (int account = 0; account < ACCOUNTS; account++) {
			String name = "w" + writer + "-" + account;
			this.world.publish(World.ACME, name, version + 1, version + 1);
			this.published.add(name, version + 1L);
		}
		if (pause > 0) {
			passTime(Math.round(pause * 1000));
		}
	}

	@Override
	boolean isAtHead() {
		return this.world.hasSettledAll(PROJECTOR);
	}

	@Override
	void assertThatAllEventsAreIn(String schema) {
		this.published.assertThatAllAreIn(this.jdbc, schema + ".account");
	}

	@Override
	long events() {
		return this.published.events();
	}

	@Override
	void assertThatNothingIsLeft() {
		super.assertThatNothingIsLeft();
		PublishedAccounts.assertThatNoFillingIsLeft(this.world, PROJECTOR);
	}

	/** The read model. */
	@Projector(value = PROJECTOR, tables = { "account", "violations" })
	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 3, batchSize = 20)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
