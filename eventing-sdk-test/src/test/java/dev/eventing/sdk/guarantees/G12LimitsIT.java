package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ledger.InlineRow;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.EventLog;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.ConnectionCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How long appends wait for an inline projector that turns, and operators for one that is
 * to leave.
 */
class G12LimitsIT extends InlineSetup {

	private static final int SKIPS = 5000;

	private static final int MANY = 100_000;

	private final Inline accounts = new Inline();

	@Test
	void deletesManySkipsInSmallStepsAndLetsNoAppendRunHandlersMeanwhile() {
		this.world.jdbc().queryForObject("select setval('eventing.events_global_position_seq', 10000)", Long.class);
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 3);
		node.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		this.world.jdbc().execute("""
				insert into eventing.projection_skips (projection_name, global_position)
				select 'accounts', position from generate_series(1, %d) position""".formatted(SKIPS));
		this.world.jdbc().execute("update eventing.projection_inline set from_position = 0");
		this.world.jdbc().execute("""
				create function watch_skips() returns trigger language plpgsql as $body$
				begin
				    if (select count(*) from gone) > 1000 then
				        raise exception 'too many at a time';
				    end if;
				    if not exists (select from eventing.projection_skips)
				       and not exists (select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
				                          and granted and pid = pg_backend_pid()) then
				        raise exception 'appends would run the handlers too early';
				    end if;
				    return null;
				end $body$""");
		this.world.jdbc().execute("""
				create trigger watch_skips after delete on eventing.projection_skips referencing old table as gone
				for each statement execute function watch_skips()""");
		assertThat(inlineStatus()).isEqualTo(InlineStatus.DIVERGED);
		append(node, "a", 4, 6);
		assertThat(version("a")).isEqualTo(3);
		node.getBean(ProjectorRegistry.class).start(Accounts.PROJECTOR);
		awaitStatus(InlineStatus.INLINE);
		assertThat(this.world.count("select count(*) from eventing.projection_skips")).isZero();
		append(node, "a", 7, 7);
		assertThat(version("a")).isEqualTo(7);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void letsAppendsGoOnIfHandlersTakeLongForWhatWasAppendedMeanwhile() {
		Slow slow = new Slow();
		AnnotationConfigApplicationContext node = startInline(slow);
		this.inline.demote(Accounts.PROJECTOR, "anna", "a test");
		await().until(() -> World.status(node, Accounts.PROJECTOR).detail().contains("demoted"));
		pause(Duration.ofMillis(500)); // after which it turns as soon as it may
		this.world.whileHolding("lock table eventing.dead_letters in access exclusive mode", () -> {
			this.inline.promote(Accounts.PROJECTOR, "anna", null);
			await().until(this::isAboutToTurn);
			this.world.append(World.ACME, "a", 1, 20);
			slow.isSlow = true;
		});
		await().until(() -> slow.called.getCount() == 0);
		long begun = System.nanoTime();
		append(node, "b", 1, 1);
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).as("twenty handlers take ten seconds")
			.isLessThan(Duration.ofSeconds(5));
		slow.isSlow = false;
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void leavesAtOnceThoughItCouldNotTurnForLong() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		this.accounts.refused.add("b");
		this.world.jdbc().execute(insertion("b", 1));
		await().until(() -> !this.world.deadLetters(Accounts.PROJECTOR).isEmpty());
		await().until(() -> World.status(node, Accounts.PROJECTOR).detail().contains("1 open dead letters"));
		// The third failure shows. It tries again after 2 s and after 4 more, then after
		// 8.
		pause(Duration.ofMillis(7500));
		this.ledger.demote(true); // and leaves the rest to the owner
		await().atMost(Duration.ofSeconds(4)).until(() -> !row().isInline());
	}

	/**
	 * Where an old snapshot keeps the rows that are gone, an append must not pass them.
	 */
	@Test
	void looksAtFewRowsHoweverManySkipsAreGone() throws SQLException {
		this.world.jdbc().queryForObject("select setval('eventing.events_global_position_seq', 1000000)", Long.class);
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 3);
		node.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		try (Connection old = open()) {
			old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			old.createStatement().execute("select count(*) from eventing.projection_skips");
			this.world.jdbc()
				.execute("""
						insert into eventing.projection_skips (projection_name, global_position)
						select 'accounts', position from generate_series(1, %d) position order by random()"""
					.formatted(MANY));
			this.world.jdbc().execute("update eventing.projection_inline set from_position = 0");
			this.world.jdbc().execute("delete from eventing.projection_skips where global_position < " + MANY);
			this.world.jdbc().execute("analyze eventing.projection_skips");
			assertThat(inlineStatus()).isEqualTo(InlineStatus.DIVERGED);
			assertThat(blocksOf("select eventing.inline_guard(array['%s'])".formatted(row().code()))).isLessThan(200);
			node.getBean(ProjectorRegistry.class).start(Accounts.PROJECTOR);
			awaitStatus(InlineStatus.INLINE);
			append(node, "a", 4, 4);
			assertThat(version("a")).isEqualTo(4);
			old.rollback();
		}
		assertThatTheReadModelHasAllEvents();
	}

	/** Of memory and of the disk, by a session that knows the plans. */
	private long blocksOf(String query) {
		Long blocks = this.world.jdbc().execute((ConnectionCallback<Long>) (connection) -> {
			try (Statement statement = connection.createStatement()) {
				statement.execute(query);
				statement.execute(query);
				try (ResultSet row = statement.executeQuery("explain (analyze, buffers, format json) " + query)) {
					row.next();
					JsonNode plan = JsonMapper.shared().readTree(row.getString(1)).at("/0/Plan");
					return plan.path("Shared Hit Blocks").asLong() + plan.path("Shared Read Blocks").asLong();
				}
			}
		});
		return Objects.requireNonNull(blocks);
	}

	/** It keeps appends waiting while it reads and applies them. */
	@Test
	void readsNoMoreThanWasAskedForOfWhatWasAppendedMeanwhile() {
		AnnotationConfigApplicationContext node = start(this.accounts);
		this.world.append(World.ACME, "a", 1, 3);
		EventLog log = node.getBean(EventLog.class);
		long first = this.world.count("select text_bytes from eventing.events order by global_position limit 1");
		long all = this.world.count("select sum(text_bytes) from eventing.events");
		assertThat(log.visible(this.world.jdbc(), 0, 3, all))
			.hasValueSatisfying((found) -> assertThat(found).hasSize(3));
		assertThat(log.visible(this.world.jdbc(), 0, 2, all)).isEmpty();
		assertThat(log.visible(this.world.jdbc(), 0, 3, all - 1)).isEmpty();
		assertThat(log.visible(this.world.jdbc(), 0, 3, first)).isEmpty();
		assertThat(log.visible(this.world.jdbc(), 0, 0, all)).isEmpty();
		long last = this.world.count("select max(global_position) from eventing.events");
		assertThat(log.visible(this.world.jdbc(), last, 0, 1)).hasValue(List.of());
	}

	/** Whether the owner looks for open letters, which it does before it turns. */
	private boolean isAboutToTurn() {
		return this.world.count("""
				select count(*) from pg_stat_activity
				 where datname = current_database() and wait_event_type = 'Lock'
				   and query like 'select count(*) from %dead_letters%REDRIVING%'""") > 0;
	}

	private InlineRow row() {
		return this.ledger.find().orElseThrow();
	}

	/** It can take half a second for an event. */
	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Slow extends RebuildSetup.Failing {

		volatile boolean isSlow;

		final CountDownLatch called = new CountDownLatch(1);

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE, concurrency = 3,
				maxDeliver = 1000)
		public void on(Deposited event, UUID eventId, String tenantId) {
			if (this.isSlow) {
				this.called.countDown();
				this.jdbc.queryForList("select pg_sleep(0.5)");
			}
			apply(event, tenantId);
		}

	}

}
