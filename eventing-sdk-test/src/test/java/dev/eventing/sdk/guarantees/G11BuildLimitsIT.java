package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G11: what a build beside the live generation takes has limits. */
class G11BuildLimitsIT {

	private static final String SCHEMA = "accounts_g2";

	private static final int EVENTS = 400;

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	private final JdbcProjectors projectors = new JdbcProjectors(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	/** Another node continues at the same rate. */
	@Test
	void readsNoMoreThanTheRateUntilItIsReady() {
		this.world.append(World.ACME, "a", 1, EVENTS);
		long begun;
		try (AnnotationConfigApplicationContext application = start(new SlowAccounts())) {
			awaitVersion("public", EVENTS);
			begun = System.nanoTime();
			build(new BuildOptions(50, null));
			await().until(() -> detail().contains("; at most 50/s, as requested"));
		}
		try (AnnotationConfigApplicationContext application = start(new SlowAccounts())) {
			awaitStatus(ProjectionGeneration.Status.READY);
			// Never more than 50 in a second, with a fifth of a second at once for each
			// node.
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(EVENTS / 50 - 1));
			awaitVersion(SCHEMA, EVENTS);
			await().until(() -> detail().endsWith("beside the live one, from the event store"));
			this.world.append(World.ACME, "a", EVENTS + 1, 2 * EVENTS);
			awaitVersion(SCHEMA, 2 * EVENTS);
		}
	}

	/** Its live generation does not catch up, as if it had too little of the database. */
	@Test
	void slowsDownByItselfWhileTheLiveGenerationLags() {
		this.world.append(World.ACME, "a", 1, 50);
		SlowAccounts accounts = new SlowAccounts();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersion("public", 50);
			accounts.liveUpTo = 50;
			this.world.append(World.ACME, "a", 51, 1500);
			accounts.slowBeside = true;
			build(BuildOptions.DEFAULT);
			await().until(() -> detail().matches(".*; throttled to [0-9,]+/s: the live read model is [0-9]+ s behind"));
			accounts.slowBeside = false;
			accounts.liveUpTo = Long.MAX_VALUE;
			awaitStatus(ProjectionGeneration.Status.READY);
			awaitVersion(SCHEMA, 1500);
			awaitVersion("public", 1500);
		}
	}

	@Test
	void failsRatherThanTakeMoreSpaceThanItMay() {
		this.world.append(World.ACME, "a", 1, 3);
		SlowAccounts accounts = new SlowAccounts();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersion("public", 3);
			accounts.refusesBeside = 3;
			build(new BuildOptions(null, 1000L));
			awaitStatus(ProjectionGeneration.Status.FAILED);
			assertThat(this.operators.generations("accounts").get(0).failure()).startsWith("Its tables take ")
				.endsWith(" kB. At most 1,000 bytes are allowed to them. Retire it, and consider a larger --max-size.");
			this.world.append(World.ACME, "a", 4, 4);
			awaitVersion("public", 4);
			retire();
		}
	}

	@Test
	void isNotBegunWhereTheDiskHasTooLittleSpace() {
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start(new SlowAccounts())) {
			awaitVersion("public", 3);
			free(1_000);
			build(BuildOptions.DEFAULT);
			await().until(() -> this.operators.lastRequest("accounts").orElseThrow().state().status() == Status.FAILED);
			assertThat(this.operators.lastRequest("accounts").orElseThrow().state().detail())
				.matches("The disk has 1,000 bytes free, and the new tables need about [0-9.]+ kB, as the live ones do."
						+ " Make room, or consider a rebuild in place.");
			free(1_000_000_000);
			build(BuildOptions.DEFAULT);
			awaitStatus(ProjectionGeneration.Status.READY);
		}
	}

	/** Others write to it, too, while it is built. */
	@Test
	void slowsDownByItselfWhileTheDiskHasTooLittleSpace() {
		this.world.append(World.ACME, "a", 1, 1500);
		SlowAccounts accounts = new SlowAccounts();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersion("public", 1500);
			accounts.slowBeside = true;
			free(1_000_000_000);
			build(BuildOptions.DEFAULT);
			awaitStatus(ProjectionGeneration.Status.BUILDING);
			free(1_000);
			await()
				.until(() -> detail().matches(".*; throttled to [0-9,]+/s: the disk has 1,000 bytes free, and the build"
						+ " needs about [0-9.]+ kB more"));
			accounts.slowBeside = false;
			free(1_000_000_000);
			awaitStatus(ProjectionGeneration.Status.READY);
			awaitVersion(SCHEMA, 1500);
		}
	}

	/** What an operator has the database know of its disk. */
	private void free(long bytes) {
		this.world.jdbc()
			.execute("create or replace function eventing.free_space() returns bigint language sql as 'select " + bytes
					+ "::bigint'");
	}

	/** What such a table had when the events came is not known any more. */
	@Test
	void namesTheTablesThatItsHandlersReadBesides() {
		this.world.jdbc().execute("create table if not exists discount (percent integer)");
		this.world.append(World.ACME, "a", 1, 3);
		SlowAccounts accounts = new SlowAccounts();
		accounts.reads = "select count(*) from discount";
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersion("public", 3);
			build(BuildOptions.DEFAULT);
			awaitStatus(ProjectionGeneration.Status.READY);
			assertThat(this.operators.generations("accounts").get(0).note())
				.isEqualTo("Its handlers read public.discount: a rebuild finds there what it has today, and not what it"
						+ " had when the events came.");
			assertThat(this.operators.generations("accounts").get(1).note()).isNull();
			retire();
		}
	}

	/** Its tables are dropped, and the live generation continues. */
	@Test
	void canBeRetiredWhileItIsBuilt() {
		this.world.append(World.ACME, "a", 1, EVENTS);
		try (AnnotationConfigApplicationContext application = start(new SlowAccounts())) {
			awaitVersion("public", EVENTS);
			build(new BuildOptions(20, null));
			await().ignoreExceptions().until(() -> this.world.count("select version from " + SCHEMA + ".account") > 0);
			retire();
			assertThat(this.operators.generations("accounts")).extracting(ProjectionGeneration::status)
				.containsExactly(ProjectionGeneration.Status.RETIRED, ProjectionGeneration.Status.LIVE);
			assertThat(this.world.count("select count(*) from pg_namespace where nspname = '" + SCHEMA + "'")).isZero();
			await().until(() -> this.world
				.count("select count(*) from eventing.projector_checkpoints where projector_name like '%#%'") == 0);
			this.world.append(World.ACME, "a", EVENTS + 1, EVENTS + 1);
			awaitVersion("public", EVENTS + 1);
			build(BuildOptions.DEFAULT);
			await().until(
					() -> this.operators.generations("accounts").get(0).status() == ProjectionGeneration.Status.READY);
			assertThat(this.operators.generations("accounts").get(0).generation()).isEqualTo(3);
		}
	}

	private AnnotationConfigApplicationContext start(Object accounts) {
		return this.world.start(WorldApplication.of(accounts).lease(Duration.ofSeconds(2)));
	}

	private void build(BuildOptions options) {
		this.operators.rebuildBeside("accounts", options, "anna", "a test", Patience.LONG);
	}

	private void retire() {
		this.operators.retire("accounts", 2, "anna", "a test", Patience.LONG);
		await().until(() -> this.operators.lastRequest("accounts").orElseThrow().state().status() == Status.DONE);
	}

	private void awaitStatus(ProjectionGeneration.Status status) {
		await().until(() -> this.operators.generations("accounts")
			.stream()
			.anyMatch((each) -> each.generation() == 2 && each.status() == status));
	}

	/** The node's detail of the generation beside the live one. */
	private String detail() {
		return this.projectors.list()
			.stream()
			.filter((each) -> each.generation().number() == 2)
			.map((each) -> String.valueOf(each.status().detail()))
			.findFirst()
			.orElse("");
	}

	private void awaitVersion(String schema, long version) {
		await().ignoreExceptions()
			.until(() -> this.world.count("select version from " + schema + ".account where account = 'a'") == version);
	}

	/** A read model that tests can slow down. */
	@Projector(value = "accounts", tables = { "account", "violations" })
	static class SlowAccounts {

		/** The live generation waits after this version. */
		volatile long liveUpTo = Long.MAX_VALUE;

		/** Refused beside the live generation, until it is failed. */
		volatile long refusesBeside = Long.MAX_VALUE;

		volatile boolean slowBeside;

		volatile String reads = "select 1";

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, maxDeliver = 1000,
				retryDelay = 50, retryMaxDelay = 100)
		public void on(Deposited event, UUID eventId, String tenantId) {
			boolean isBeside = !"public".equals(this.jdbc.queryForObject("select current_schema()", String.class));
			if (event.version() > (isBeside ? Long.MAX_VALUE : this.liveUpTo)
					|| (isBeside && event.version() >= this.refusesBeside)) {
				throw new IllegalStateException("not available");
			}
			if (isBeside && this.slowBeside) {
				this.jdbc.execute("select pg_sleep(0.01)");
			}
			this.jdbc.queryForObject(this.reads, Long.class);
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
