package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.BackfillProgress;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A projector that handled deposits alone, and whose next version handles notes, too. The
 * notes of an account are counted in {@code noted}, whose version says which one it has
 * seen last: one that is applied twice, left out, or out of order shows in
 * {@code violations}. Likewise the deposits of an account in {@code tally}, which the
 * next version writes instead of {@code account}.
 */
abstract class BackfillSetup extends GenerationSetup {

	static final String NOTED = "noted";

	/** The name of its type in the event store. */
	static final String DEPOSITED = "Deposited";

	@BeforeEach
	void createTables() {
		createTables(this.world.jdbc());
	}

	static void createTables(JdbcTemplate jdbc) {
		for (String table : new String[] { "noted", "tally" }) {
			jdbc.execute("""
					create table if not exists %s (tenant_id text, account text, version bigint not null,
					                               runs bigint not null, primary key (tenant_id, account))"""
				.formatted(table));
		}
	}

	/** Starts an application whose new handlers do not get what was skipped. */
	AnnotationConfigApplicationContext startNext(Object accounts) {
		return this.world.start(application(accounts));
	}

	static WorldApplication application(Object accounts) {
		return WorldApplication.of(accounts)
			.lease(Duration.ofSeconds(2))
			.with(ProjectorSettings.builder().newHandlers(NewHandlersPolicy.FROM_NOW).build());
	}

	/** Lets the former version apply what is there: it skips notes. */
	void applyWithFormer() {
		try (AnnotationConfigApplicationContext former = start(new Former())) {
			await().until(this::isAtHead);
			World.savePlace(former);
		}
	}

	boolean isAtHead() {
		return this.world.checkpoint(Accounts.PROJECTOR) == head();
	}

	long head() {
		return this.world.count("select coalesce(max(global_position), 0) from eventing.events");
	}

	/** Appends notes and deposits of each account, in turns. */
	void appendBoth(long from, long to) {
		for (long version = from; version <= to; version++) {
			for (int account = 0; account < NAMES; account++) {
				deposit("a" + account, version);
				note("a" + account, version);
			}
		}
	}

	void note(String account, long number) {
		this.world.inTransaction((store) -> store.append(World.ACME, this.world.storedStream(account),
				ExpectedVersion.any(), NewEvent.of(new Noted(account, number))));
	}

	void deposit(String account, long version) {
		this.world.inTransaction((store) -> store.append(World.ACME, this.world.storedStream(account),
				ExpectedVersion.any(), NewEvent.of(new Deposited(account, version, version))));
	}

	ProjectionRequest backfill(BackfillOptions options) {
		return this.operators.backfill(Accounts.PROJECTOR, options, "anna", REASON, Patience.LONG);
	}

	void awaitDone(ProjectionRequest request) {
		await().until(() -> !find(request).state().status().isOpen());
		assertThat(find(request).state().status()).as(String.valueOf(find(request).state().detail()))
			.isEqualTo(Status.DONE);
	}

	ProjectionRequest find(ProjectionRequest request) {
		return this.operators.request(request.id()).orElseThrow();
	}

	long settled(ProjectionRequest request) {
		BackfillProgress progress = find(request).state().progress();
		return (progress != null) ? progress.events() : 0;
	}

	/** Whether each account has exactly these events, each applied once and in order. */
	void assertThatAllAreIn(String table, long version) {
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		assertThat(this.world.jdbc()
			.queryForList("select * from " + table + " where version <> ? or runs <> ?", version, version)).isEmpty();
		assertThat(this.world.count("select count(*) from " + table)).isEqualTo(NAMES);
	}

	void assertThatNothingIsLeft() {
		assertThat(this.world.count("select count(*) from eventing.projection_backfill_events")).isZero();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
	}

	static void count(JdbcTemplate jdbc, String table, String tenant, String account, long version) {
		int next = jdbc.update("""
				insert into %1$s as t (tenant_id, account, version, runs) values (?, ?, ?, 1)
				on conflict (tenant_id, account) do update set version = excluded.version, runs = t.runs + 1
				 where t.version = excluded.version - 1""".formatted(table), tenant, account, version);
		Long now = jdbc.queryForObject("select version from %s where tenant_id = ? and account = ?".formatted(table),
				Long.class, tenant, account);
		if (next == 0 || now == null || now != version || (version > 1 && runs(jdbc, table, tenant, account) == 1)) {
			jdbc.update("insert into violations values (?, ?, ?, ?)", tenant, account, now, version);
		}
	}

	private static long runs(JdbcTemplate jdbc, String table, String tenant, String account) {
		Long runs = jdbc.queryForObject("select runs from %s where tenant_id = ? and account = ?".formatted(table),
				Long.class, tenant, account);
		return (runs != null) ? runs : 0;
	}

	/**
	 * A note on an account.
	 *
	 * @param account the stream it belongs to
	 * @param number its place among the notes of that account, from 1
	 */
	@EventType(NOTED)
	record Noted(String account, long number) {
	}

	/** The version that has no handler for notes. */
	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Former {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

	/** The version with a handler for notes, and another one for deposits. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "noted", "tally" })
	static class Next {

		final Set<String> refused = ConcurrentHashMap.newKeySet();

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				batchSize = 20, noRetryFor = IllegalArgumentException.class)
		public void tally(Deposited event, UUID eventId, String tenantId) {
			count(this.jdbc, "tally", tenantId, event.account(), event.version());
			refuse("tally " + event.account() + " " + event.version());
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void note(Noted event, UUID eventId, String tenantId) {
			count(this.jdbc, "noted", tenantId, event.account(), event.number());
			refuse("note " + event.account() + " " + event.number());
		}

		private void refuse(String what) {
			if (this.refused.contains(what)) {
				throw new IllegalArgumentException("refused by the test");
			}
		}

	}

}
