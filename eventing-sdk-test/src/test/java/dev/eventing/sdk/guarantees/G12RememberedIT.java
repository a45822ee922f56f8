package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projector.ProjectorRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An append remembers what the guard has said of inline projections only as long as it is
 * so.
 */
class G12RememberedIT extends InlineSetup {

	private static final int APPENDS = 200;

	private final Inline accounts = new Inline();

	@Test
	void readsNoTableWhileNothingChanges() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 1);
		node.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR); // its owner
																		// looks, too
		long inserted = statistic("n_tup_ins", "events");
		long scanned = scans();
		for (int version = 2; version <= APPENDS; version++) {
			append(node, "a", version, version);
		}
		// a session tells what it has scanned once it is idle for a while
		await().until(() -> statistic("n_tup_ins", "events") - inserted >= APPENDS - 1);
		assertThat(scans() - scanned).isLessThan(APPENDS / 4);
		assertThat(version("a")).isEqualTo(APPENDS);
	}

	private long scans() {
		return statistic("seq_scan", "projection_inline") + statistic("coalesce(idx_scan, 0)", "projection_inline");
	}

	private long statistic(String column, String table) {
		return this.world
			.count("select %s from pg_stat_user_tables where relid = 'eventing.%s'::regclass".formatted(column, table));
	}

	/**
	 * What an append reads while a change is not committed is soon out of date, and
	 * nothing would say so.
	 */
	@ParameterizedTest
	@ValueSource(strings = {
			"insert into eventing.projector_controls (projector_name, paused, actor) values ('accounts', true, 'anna')",
			"update eventing.projection_inline set demoted = true where projection_name = 'accounts'",
			"insert into eventing.projection_skips (projection_name, global_position) values ('accounts', 1000000)" })
	void doesNotRememberAnAnswerWhileAChangeIsUnderWay(String change) throws SQLException {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 2);
		node.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		try (Connection operator = open()) {
			operator.createStatement().execute(change);
			append(node, "a", 3, 3);
			append(node, "a", 4, 4);
			assertThat(version("a")).as("the change is not committed").isEqualTo(4);
			operator.commit();
		}
		append(node, "a", 5, 5);
		assertThat(version("a")).as("appends skip it").isEqualTo(4);
		this.world.jdbc().execute("delete from eventing.projection_skips where global_position = 1000000");
		this.inline.promote(Accounts.PROJECTOR, "anna", null);
		this.projectors.resume(Accounts.PROJECTOR, "anna", null);
		node.getBean(ProjectorRegistry.class).start(Accounts.PROJECTOR);
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	/** A change that is rolled back leaves no mark but a number. */
	@Test
	void remembersAgainAfterAChangeThatWasRolledBack() throws SQLException {
		startInline(this.accounts);
		try (Connection operator = open(); Connection appending = open()) {
			operator.createStatement().execute("update eventing.projection_inline set demoted = true");
			assertThat(asks(appending)).as("the answer has no name").isEqualTo(2);
			operator.rollback();
			assertThat(asks(appending)).isLessThan(2);
		}
	}

	/** Triggers that are disabled tell nobody. */
	@Test
	void forgetsWithEachTransitionThoughNoTriggerTells() throws SQLException {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 1);
		node.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		String code = this.ledger.find().orElseThrow().code();
		String guard = "select eventing.inline_guard(array['%s'])".formatted(code);
		try (Connection appending = open()) {
			assertThat(told(appending, guard)).startsWith(code);
			this.world.jdbc().execute("alter table eventing.projector_controls disable trigger inline_change");
			this.projectors.pause(Accounts.PROJECTOR, "anna", "a test");
			assertThat(told(appending, guard)).as("paused").isEqualTo("null");
			this.projectors.resume(Accounts.PROJECTOR, "anna", null);
			this.world.jdbc().execute("alter table eventing.projector_controls enable trigger inline_change");
			assertThat(told(appending, guard)).as("resumed").startsWith(code);
			this.world.jdbc().execute("alter table eventing.projection_inline disable trigger inline_change");
			this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
			assertThat(told(appending, guard)).as("demoted").isEqualTo("null");
			this.world.jdbc()
				.execute("alter table eventing.projection_inline enable trigger inline_change;"
						+ " update eventing.projection_inline set demoted = false, to_position = null");
			assertThat(told(appending, guard)).as("it follows, and appends have nothing to do").isEqualTo("null");
			this.world.jdbc().execute("alter table eventing.projection_inline disable trigger inline_change");
			turn(code);
			assertThat(told(appending, guard)).as("inline again").startsWith(code);
		}
	}

	/** As the owner does. */
	private void turn(String code) {
		new TransactionTemplate(new JdbcTransactionManager(Objects.requireNonNull(this.world.jdbc().getDataSource())))
			.executeWithoutResult((status) -> {
				this.ledger.lock();
				this.ledger.turnInline(code, "", 1, 1);
			});
	}

	private static String told(Connection appending, String guard) throws SQLException {
		String told = text(appending, guard);
		appending.commit();
		return told;
	}

	/** Nothing would tell it of a change. */
	@Test
	void remembersNothingIfItsRoleMayNotSeeTheLastChange() throws SQLException {
		startInline(this.accounts);
		try (LimitedRole role = new LimitedRole(this.world); Connection appending = open()) {
			this.world.jdbc().execute("revoke all on sequence eventing.inline_changes from " + role.name());
			appending.createStatement().execute("set role " + role.name());
			try {
				assertThat(asks(appending)).isEqualTo(2);
			}
			catch (PSQLException ex) { // before PostgreSQL 18
				assertThat(ex.getMessage()).contains("permission denied");
				appending.rollback();
			}
			finally {
				appending.createStatement().execute("reset role");
				appending.commit();
			}
		}
	}

	/** An answer for other handlers says nothing of those of this node. */
	@Test
	void remembersForTheCodesThatItHasAskedFor() throws SQLException {
		startInline(this.accounts);
		try (Connection appending = open()) {
			assertThat(asks(appending)).isLessThan(2);
			assertThat(text(appending, "select eventing.inline_guard(array['another'])")).isEqualTo("null");
		}
	}

	/** Asks the guard in two transactions, and returns how many of them read a table. */
	private int asks(Connection appending) throws SQLException {
		int reads = 0;
		for (int ask = 0; ask < 2; ask++) {
			long before = scansOf(appending);
			assertThat(text(appending,
					"select eventing.inline_guard(array['%s'])".formatted(this.ledger.find().orElseThrow().code())))
				.isNotEmpty();
			reads += (scansOf(appending) > before) ? 1 : 0;
			appending.commit();
		}
		return reads;
	}

	private static long scansOf(Connection session) throws SQLException {
		return Long.parseLong(text(session, """
				select coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0)::text from pg_stat_xact_user_tables
				 where schemaname = 'eventing' and relname = 'projection_inline'"""));
	}

	private static String text(Connection session, String sql) throws SQLException {
		try (ResultSet row = session.createStatement().executeQuery(sql)) {
			row.next();
			return String.valueOf(row.getString(1));
		}
	}

}
