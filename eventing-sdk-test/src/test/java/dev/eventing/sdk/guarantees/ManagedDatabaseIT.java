package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * A database that refuses what tells its history, as managed ones do: the functions fail
 * with these errors in this database.
 */
@ExtendWith(OutputCaptureExtension.class)
class ManagedDatabaseIT {

	@AutoClose
	private final World world = World.create();

	/** None, if an earlier test of this process has it. */
	@AfterEach
	void thatIsLoggedOnceHoweverManyNodesAndProjectorsThereAre(CapturedOutput output) {
		assertThat(StringUtils.countOccurrencesOf(output.getOut(), "The database does not tell its timeline ("))
			.isLessThanOrEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource({ "pg_current_wal_insert_lsn(), pg_lsn, 55000, false",
			"pg_current_wal_insert_lsn(), pg_lsn, 0A000, true", "pg_walfile_name(pg_lsn), text, 42501, true",
			"pg_current_wal_insert_lsn(), pg_lsn, P0001, false", "pg_walfile_name(pg_lsn), text, XX000, true" })
	void runsProjectorsWhereTheTimelineIsNotTold(String function, String result, String error, boolean stored) {
		replace(function, "returns " + result,
				"plpgsql as $$ begin raise exception 'not here' using errcode = '" + error + "'; end $$");
		assertThatException().isThrownBy(() -> this.world.jdbc()
			.queryForList("select pg_walfile_name(pg_current_wal_insert_lsn())", String.class));
		assertThatNodesApply(stored);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void runsProjectorsWhereTheTimelineHasNoValue(boolean stored) {
		replace("pg_walfile_name(pg_lsn)", "returns text", "sql as 'select null::text'");
		assertThatNodesApply(stored);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void runsProjectorsWhereTheStateOfTheServerHasNoRow(boolean stored) {
		replace("pg_control_system()", "returns table (system_identifier bigint)",
				"sql as 'select 1::bigint where false'");
		assertThatNodesApply(stored);
	}

	/**
	 * The server calls what it was built with by its number, whatever the catalog has.
	 */
	private void replace(String function, String result, String body) {
		this.world.jdbc().execute("alter function pg_catalog." + function + " rename to hidden_function");
		this.world.jdbc().execute("create function pg_catalog." + function + " " + result + " language " + body);
	}

	private void assertThatNodesApply(boolean stored) {
		Object handlers = stored ? new StoredAccounts() : new Accounts();
		for (long version = 1; version <= 2; version++) { // the second one takes over
			try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(handlers))) {
				long next = version;
				if (stored) {
					this.world.append(World.ACME, "a", next, next);
				}
				else {
					this.world.publish(World.ACME, "a", next, next);
				}
				await().until(() -> this.world.version(World.ACME, "a") == next);
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			}
		}
	}

	/** A hardened database, and an application whose role is no superuser. */
	@Test
	void runsProjectorsAndRelaysAsARoleThatMayNotAskForTheTimeline() {
		RelayWorld relays = new RelayWorld(this.world);
		try (LimitedRole role = new LimitedRole(this.world)) {
			this.world.jdbc().execute("""
					revoke execute on function pg_catalog.pg_control_system() from public;
					revoke execute on function pg_catalog.pg_current_wal_insert_lsn() from public""");
			for (int round = 1; round <= 2; round++) { // the second one takes over
				long version = round;
				try (AnnotationConfigApplicationContext application = this.world
					.start(role.of(WorldApplication.of(new Accounts()))
						.customize((context) -> context.registerBean(RelayOptions.class, relays::options)))) {
					assertThatException().isThrownBy(
							() -> application.getBean(JdbcTemplate.class).execute("select pg_control_system()"));
					relays.append(World.ACME, "a", 1);
					await().until(() -> this.world.version(World.ACME, "a") == version);
					assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
					await().until(() -> RelayWorld.status(application).state() == RelayState.RUNNING);
				}
			}
		}
	}

}
