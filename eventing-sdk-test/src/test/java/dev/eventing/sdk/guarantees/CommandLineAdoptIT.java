package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An operator gives a running application's read model its own schema, and switches by
 * it.
 */
class CommandLineAdoptIT {

	private static final String DONE = "Done for projector 'accounts'. ";

	@AutoClose
	private final World world = World.create();

	private final OperatorCommands commands = new OperatorCommands(this.world);

	@Test
	void movesTheTablesOnceAndThenSwitchesWhileAReaderHoldsThem() throws Exception {
		this.world.jdbc()
			.execute("do $$ begin execute format('alter database %I set search_path = ledger, public', "
					+ "current_database()); end $$");
		// Rows are compared by their keys.
		this.world.jdbc()
			.execute("alter table violations add column id bigint generated always as identity primary key");
		((HikariDataSource) this.world.jdbc().getDataSource()).getHikariPoolMXBean().softEvictConnections();
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new StoredAccounts()).lease(Duration.ofSeconds(2)))) {
			awaitVersion(3);
			// a node that reported runs the projector and takes the request
			await().until(() -> this.world.count("select count(*) from eventing.projector_nodes") == 1);
			adopt();
			this.world.append(World.ACME, "a", 4, 4);
			awaitVersion(4);
			assertThat(projection(0, "rebuild", "--reason", "a new column", "--watch")).contains("accounts_g2");
			awaitReady();
			assertThat(projection(0, "diff")).contains("OTHER ROWS");
			assertThat(projection(0, "list")).contains("VERSION", "accounts_g2");
			this.world.jdbc().execute("alter table ledger.account add column note text");
			whileReading(this::switchToAndFro);
			projection(0, "retire", "--generation", "2", "--reason", "it was a try", "--watch");
			projection(0, "audit");
			assertThat(this.world.count("select count(*) from pg_namespace where nspname like 'accounts%'")).isZero();
			this.world.append(World.ACME, "a", 6, 6);
			awaitVersion(6);
			assertThat(this.world.count("select count(*) from ledger.violations")).isZero();
		}
	}

	private void awaitReady() {
		await().until(() -> this.world
			.count("select count(*) from eventing.projections where generation = 2 and status = 'READY'") == 1);
	}

	private void adopt() throws Exception {
		assertThat(projection(8, "adopt", "--to-schema", "books", "--reason", "shorter switches", "--dry-run"))
			.contains("In the way: The tables would not be found in schema 'books': the search_path of this connection "
					+ "is ledger, public. Consider 'books' before the others: alter role postgres in database");
		assertThat(projection(8, "adopt", "--to-schema", "books", "--reason", "shorter switches", "--watch"))
			.contains("Table 'account' would not be found: the search_path of the application's connections is ledger, "
					+ "public. Consider 'books' before the others: alter role postgres in database");
		this.world.jdbc().execute("grant select on account to public");
		assertThat(projection(0, "adopt", "--to-schema", "ledger", "--reason", "shorter switches", "--dry-run"))
			.startsWith("Would move the live tables of projector 'accounts' to the schema 'ledger'.")
			.contains("The search_path of the application and of all readers must have this schema first. Consider "
					+ "alter role ... set search_path = ledger, public.");
		this.world.jdbc()
			.execute("create schema ledger; create table ledger.other (id int); create role auditor;"
					+ " grant select on account to auditor; alter role auditor set search_path = public");
		assertThat(projection(8, "adopt", "--to-schema", "ledger", "--reason", "shorter switches", "--dry-run"))
			.contains(
					"Readers may not find the tables afterwards: the roles auditor have no search_path with schema 'ledger'.",
					"In the way: Schema 'ledger' is not empty: table other. Consider a schema of another name.");
		this.world.jdbc().execute("revoke all on account from auditor; drop role auditor");
		assertThat(projection(8, "adopt", "--to-schema", "ledger", "--reason", "shorter switches", "--watch"))
			.contains("Not done: FAILED. Schema 'ledger' is not empty: table other.");
		this.world.jdbc().execute("drop schema ledger cascade");
		refuseWithoutATimeOut();
		assertThat(projection(0, "adopt", "--to-schema", "ledger", "--reason", "shorter switches", "--watch"))
			.contains(DONE + "The live tables lie in the schema ledger now, not in public.");
		assertThat(projection(0, "show")).containsPattern("1 +1 +LIVE .* ledger\n");
		assertThat(projection(8, "adopt", "--to-schema", "ledger", "--reason", "again", "--dry-run"))
			.contains("In the way: The tables lie in the schema ledger already.");
		assertThat(projection(8, "adopt", "--to-schema", "ledger", "--reason", "again", "--watch"))
			.contains("The tables lie in the schema ledger already.");
	}

	/**
	 * A node that is frozen between the lock and the commit would keep readers waiting.
	 */
	private void refuseWithoutATimeOut() {
		this.world.jdbc().execute("""
				create function eventing.require_time_out() returns trigger language plpgsql as $$
				begin
				  if new.action = 'ADOPTED' and current_setting('idle_in_transaction_session_timeout') = '0' then
				    raise exception 'The server would not end this transaction.';
				  end if;
				  return new;
				end $$;
				create trigger require_time_out before insert on eventing.projection_audit
				  for each row execute function eventing.require_time_out()""");
	}

	private void switchToAndFro() throws Exception {
		assertThat(projection(8, "switch", "--generation", "2", "--reason", "compared", "--dry-run"))
			.contains("Readers would lose a column: in generation 2 column 'note' of table 'account' is missing.");
		assertThat(projection(8, "switch", "--generation", "2", "--reason", "compared", "--watch"))
			.contains("Consider --accept-lost-columns if no reader needs them.");
		assertThat(projection(0, "switch", "--generation", "2", "--reason", "compared", "--accept-lost-columns",
				"--watch"))
			.contains(
					"Generation 1 is kept and fed in the schema accounts_g1. Their schemas changed names; no reader had"
							+ " to wait for that.");
		assertThat(projection(0, "show")).containsPattern("2 +1 +LIVE .* ledger\n1 +1 +STANDBY .* accounts_g1\n");
		this.world.append(World.ACME, "a", 5, 5);
		awaitVersion(5);
		assertThat(projection(0, "rollback", "--reason", "the note is needed", "--watch"))
			.contains("Their schemas changed names");
		assertThat(this.world.count("select count(note) from account")).isZero();
	}

	/**
	 * A transaction that has read the tables, keeps its locks, and continues. Its
	 * snapshot ends with its next statement.
	 */
	private void whileReading(Work work) throws Exception {
		JdbcTemplate reader = new JdbcTemplate(World.dataSource(this.world.jdbcUrl()));
		try (HikariDataSource pool = (HikariDataSource) reader.getDataSource()) {
			reader.execute((ConnectionCallback<Boolean>) (connection) -> {
				connection.setAutoCommit(false);
				connection.createStatement().execute("select * from account");
				connection.createStatement().execute("lock table account in access share mode");
				try {
					work.run();
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
				finally {
					connection.rollback();
				}
				return true;
			});
			assertThat(pool.isClosed()).isFalse();
		}
	}

	private void awaitVersion(long version) {
		await().until(() -> this.world.version(World.ACME, "a") == version);
	}

	private String projection(int exit, String command, String... options) throws IOException, InterruptedException {
		return this.commands.projection(exit, command, options);
	}

	/** Something that may fail. */
	private interface Work {

		void run() throws Exception;

	}

}
