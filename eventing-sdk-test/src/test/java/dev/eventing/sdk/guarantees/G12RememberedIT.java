package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;

import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projector.ProjectorRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

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
		try (Connection operator = open()) {
			operator.createStatement().execute("update eventing.projection_inline set demoted = true");
			assertThat(changeIn(guard(""))).isEmpty();
			operator.rollback();
		}
		await().until(() -> !changeIn(guard("")).isEmpty());
		String answer = guard("");
		assertThat(guard(answer)).isEqualTo(answer);
	}

	/** The numbers of a server that takes over may begin again. */
	@Test
	void doesNotBelieveAnAnswerOfAnotherServer() {
		startInline(this.accounts);
		await().until(() -> !changeIn(guard("")).isEmpty());
		String answer = guard("");
		String other = answer.replaceFirst("@[0-9.]*\\|", "@1.5|").replaceFirst(":\\d+$", ":99");
		assertThat(guard(other)).isEqualTo(answer);
	}

	private static String changeIn(String answer) {
		return answer.substring(0, answer.indexOf('|'));
	}

	/** As an append asks, in a transaction of its own. */
	private String guard(String remembered) {
		String code = this.ledger.find().orElseThrow().code();
		return this.world.jdbc()
			.queryForObject("select eventing.inline_guard(array[?], ?)", String.class, code, remembered);
	}

}
