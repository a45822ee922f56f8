package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * G11: whichever node dies or freezes while a generation is built, switched to and from,
 * and retired, readers see nothing of it, no request waits for ever, and nothing is lost,
 * applied twice or left behind. Events are appended meanwhile in transactions that commit
 * late. A check compares each generation with them before it becomes live.
 */
@Tag("crash")
class G11KilledSwitchIT extends KilledSwitchSetup {

	private static final String PROJECTOR = "switched";

	private static final int WRITERS = 8;

	G11KilledSwitchIT() {
		super(PROJECTOR, WRITERS, Accounts.class, Checks.class);
	}

	@Test
	void showsReadersNothingOfItWhicheverNodeIsKilled() throws Exception {
		startNodes();
		switchWhileNodesDie(20, 3, "public", "The tables moved between the schemas.");
		assertThatNoGenerationDiffered();
	}

	@Test
	void showsReadersNothingOfItWhereSchemasChangeNames() throws Exception {
		switchWhereSchemasChangeNamesAndNodesDie(10, 2);
		assertThatNoGenerationDiffered();
	}

	private void assertThatNoGenerationDiffered() {
		assertThat(this.jdbc.queryForList("select * from eventing.projection_checks where differences > 0")).isEmpty();
		assertThat(count("select count(*) from eventing.projection_checks where differences = 0")).isPositive();
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
		return count("select count(*) from eventing.events");
	}

	@Override
	boolean isAtHead() {
		return this.world.checkpoint(PROJECTOR) == count("select max(global_position) from eventing.events");
	}

	@Override
	void assertThatAllEventsAreIn(String schema) {
		AppendedAccounts.assertThatAllAreIn(this.jdbc, schema + ".account");
	}

	/** The read model. */
	@Projector(value = PROJECTOR, tables = { "account", "violations" })
	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				batchSize = 20)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

	/** Checks that a switch waits for. */
	static class Checks {

		@Reconciliation(name = "accounts", projector = PROJECTOR)
		String accounts() {
			return """
					with expected as (
					  select payload->>'account' as account, max((payload->>'version')::bigint) as version,
					         sum((payload->>'amount')::bigint) as total
					    from eventing.applied_events('switched') group by 1)
					select coalesce(e.account, a.account) as account, e.total as expected, a.total as found
					  from expected e full join account a on a.account = e.account
					 where (e.version, e.total) is distinct from (a.version, a.total)""";
		}

	}

}
