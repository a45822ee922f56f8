package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes that die and freeze at random moments, while an operator builds generations,
 * switches to and from them, and retires them. Events come meanwhile. Subclasses supply
 * the events.
 */
abstract class KilledSwitchSetup {

	static final int ACCOUNTS = 2;

	private static final int BEFORE = 60;

	/** How often each generation is switched to or from before one is retired. */
	private static final int SWITCHES = 3;

	/** When the strikes hit, again and again. */
	private static final List<Phase> AIMS = List.of(Phase.BUILDING, Phase.SWITCHING, Phase.STANDBY, Phase.SWITCHING,
			Phase.RETIRING, Phase.BUILDING);

	private static final Duration EXPIRY = Duration.ofSeconds(20);

	private static final Duration LOOK = Duration.ofMillis(10);

	/** Milliseconds between two appends of a writer: each build reads them all again. */
	private static final long REST = 200;

	@RegisterExtension
	final ProjectorProcess one;

	@RegisterExtension
	final ProjectorProcess two;

	@AutoClose
	final World world = World.create();

	private final String projector;

	private final int writers;

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	/** For the thread that strikes. */
	private final Random random = new Random(this.seed);

	private final CountDownLatch never = new CountDownLatch(1);

	/** The writers keep all connections of the world. */
	@AutoClose
	private final HikariDataSource dataSource = World.dataSource(this.world.jdbcUrl());

	final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	final Projections operators = new JdbcProjections(this.dataSource, EventingSchema.defaults());

	private final AtomicBoolean enough = new AtomicBoolean();

	private volatile Phase phase = Phase.STANDBY;

	/** For the thread that strikes. */
	private final Map<Phase, Integer> kills = new EnumMap<>(Phase.class);

	private int switches;

	private int failed;

	private int expired;

	/**
	 * Two nodes with one projector.
	 * @param writers how many threads append events
	 * @param beans the class of its handlers, and that of its checks if there are any
	 */
	KilledSwitchSetup(String projector, int writers, Class<?>... beans) {
		this.projector = projector;
		this.writers = writers;
		this.one = ProjectorProcess.of(beans);
		this.two = ProjectorProcess.of(beans);
	}

	/**
	 * Appends or publishes the next event of each account of a writer.
	 * @param pause how long it takes at least, in seconds
	 */
	abstract void append(int writer, int version, double pause);

	/** The number of events so far. */
	abstract long events();

	/** Whether the live generation has settled all events. */
	abstract boolean isAtHead();

	/** Whether the tables in this schema show all events. */
	abstract void assertThatAllEventsAreIn(String schema);

	/** Starts the nodes, and waits until they have settled the first events. */
	void startNodes() {
		System.out.println("crash.seed=" + this.seed);
		for (int writer = 0; writer < this.writers; writer++) {
			for (int version = 0; version < BEFORE; version++) {
				append(writer, version, 0);
			}
		}
		nodes().forEach((node) -> node.start(this.world));
		nodes().forEach(ProjectorProcess::awaitReady);
		patiently().until(this::isAtHead);
	}

	/** Starts the nodes, gives the tables their own schema, and strikes. */
	void switchWhereSchemasChangeNamesAndNodesDie(int dying, int freezing) throws Exception {
		this.world.jdbc()
			.execute("do $$ begin execute format('alter database %I set search_path = ledger, public', "
					+ "current_database()); end $$");
		((HikariDataSource) this.world.jdbc().getDataSource()).getHikariPoolMXBean().softEvictConnections();
		startNodes();
		this.operators.adopt(this.projector, "ledger", "test", "a schema of its own", Patience.LONG);
		patiently().until(() -> this.operators.lastRequest(this.projector)
			.filter((each) -> each.state().status() == ProjectionRequest.Status.DONE)
			.isPresent());
		switchWhileNodesDie(dying, freezing, "ledger", "Their schemas changed names; no reader had to wait for that.");
		assertThat(this.jdbc.queryForList("select tablename from pg_tables where schemaname = 'ledger'", String.class))
			.containsExactlyInAnyOrder("account", "violations");
		assertThat(count("select count(*) from pg_tables where schemaname = 'public'")).isZero();
	}

	/**
	 * Strikes, and looks for what must be so in the end.
	 * @param schema that of the live tables
	 * @param way what the request says of the way of each switch
	 */
	void switchWhileNodesDie(int dying, int freezing, String schema, String way) throws Exception {
		long begun = System.nanoTime();
		ExecutorService threads = Executors.newFixedThreadPool(this.writers + 2);
		try {
			List<Future<?>> running = new ArrayList<>();
			for (int writer = 0; writer < this.writers; writer++) {
				int number = writer;
				running.add(threads.submit(() -> write(number)));
			}
			running.add(threads.submit(this::read));
			Future<?> striking = threads.submit(() -> strike(dying, freezing));
			while (!striking.isDone()) {
				buildSwitchAndRetire(() -> !striking.isDone(), schema, way);
			}
			striking.get();
			this.enough.set(true);
			for (Future<?> each : running) {
				each.get();
			}
		}
		finally {
			this.enough.set(true);
			threads.shutdown();
		}
		buildSwitchAndRetire(() -> true, schema, way);
		System.out.printf(
				"%d kills %s, %d freezes, %d switches, %d requests failed, %d expired, %d generations, %d events"
						+ " in %d s%n",
				dying, this.kills.toString().toLowerCase(Locale.ROOT), freezing, this.switches, this.failed,
				this.expired, this.operators.generations(this.projector).get(0).generation(), events(),
				TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
		patiently().until(this::isAtHead);
		assertThatTheReadModelIsThatOfAllEvents(schema);
		assertThatNothingIsLeft();
		assertThat(this.kills).as("kills").containsKeys(Phase.BUILDING, Phase.SWITCHING);
		assertThat(this.switches).isGreaterThanOrEqualTo(SWITCHES);
	}

	/** Nodes are processes that are killed meanwhile, beside writers that do not wait. */
	private static ConditionFactory patiently() {
		return await().atMost(Patience.PROCESS);
	}

	// ---- What operators do ----

	/**
	 * Builds a generation unless one stands beside the live one, switches to and fro, and
	 * retires it. After the last events both are compared with what was appended.
	 */
	private void buildSwitchAndRetire(Supplier<Boolean> goesOn, String schema, String way) {
		int target = this.switches + SWITCHES;
		while (goesOn.get()) {
			ProjectionGeneration beside = beside().orElse(null);
			if (beside == null) {
				this.phase = Phase.BUILDING;
				request(() -> this.operators.rebuildBeside(this.projector, "test", "kills follow", EXPIRY));
			}
			else if (beside.status() == ProjectionGeneration.Status.BUILDING) {
				this.phase = Phase.BUILDING;
				patiently().pollInterval(LOOK)
					.until(() -> beside().orElseThrow().status() != ProjectionGeneration.Status.BUILDING);
			}
			else if (this.switches < target) {
				this.phase = Phase.SWITCHING;
				boolean done = request(() -> this.operators.switchTo(this.projector, beside.generation(), "test",
						"kills follow", EXPIRY));
				assertThat(done ? last().state().detail() : way).endsWith(way);
				this.switches += done ? 1 : 0;
				this.phase = Phase.STANDBY;
				passTime(done ? 500 : 50);
			}
			else {
				assertThatGenerationsAgree(beside, schema);
				this.phase = Phase.RETIRING;
				if (request(() -> this.operators.retire(this.projector, beside.generation(), "test", "kills follow",
						EXPIRY))) {
					return;
				}
			}
		}
	}

	private void assertThatGenerationsAgree(ProjectionGeneration beside, String live) {
		assertThat(beside.failure()).isNull();
		for (String schema : List.of(live, String.valueOf(beside.schema()))) {
			assertThat(this.jdbc.queryForList("select * from " + schema + ".violations")).as(schema).isEmpty();
			if (this.enough.get()) {
				patiently().untilAsserted(() -> assertThatTheReadModelIsThatOfAllEvents(schema));
			}
		}
	}

	/** Returns whether it was done. None waits longer than it may. */
	private boolean request(Supplier<ProjectionRequest> request) {
		try {
			long id = request.get().id();
			patiently().pollInterval(LOOK)
				.until(() -> last().id() == id && last().state().status() != ProjectionRequest.Status.PENDING);
		}
		catch (RequestRefusedException ex) {
			// One that had expired may have been done in the same moment.
			System.out.println("refused: " + ex.getMessage());
			passTime(50);
			return false;
		}
		ProjectionRequest last = last();
		switch (last.state().status()) {
			case DONE -> {
				return true;
			}
			case FAILED -> this.failed++;
			default -> this.expired++;
		}
		System.out.println(last.what() + " " + last.state());
		return false;
	}

	private ProjectionRequest last() {
		return this.operators.lastRequest(this.projector).orElseThrow();
	}

	private Optional<ProjectionGeneration> beside() {
		Optional<ProjectionGeneration> found = this.operators.generations(this.projector)
			.stream()
			.filter((each) -> each.status().isBeside())
			.findFirst();
		assertThat(found.filter((each) -> each.status() == ProjectionGeneration.Status.FAILED)).isEmpty();
		return found;
	}

	// ---- What strikes ----

	private boolean strike(int dying, int freezing) {
		List<Boolean> strikes = new ArrayList<>(Collections.nCopies(dying, true));
		strikes.addAll(Collections.nCopies(freezing, false));
		Collections.shuffle(strikes, this.random);
		for (int strike = 0; strike < strikes.size(); strike++) {
			Phase aim = AIMS.get(strike % AIMS.size());
			patiently().pollInterval(LOOK).until(() -> this.phase == aim);
			if (aim == Phase.SWITCHING && this.random.nextBoolean()) {
				patiently().pollInterval(LOOK).until(() -> this.phase != aim || isHolding());
				passTime(this.random.nextInt(200));
			}
			else {
				passTime(this.random.nextInt(aim.longest));
			}
			if (strikes.get(strike)) {
				kill(owner());
			}
			else {
				freeze(owner());
			}
		}
		return true;
	}

	private void freeze(ProjectorProcess node) {
		node.freeze();
		passTime(2 * ProjectorProcess.Main.LEASE.toMillis() + this.random.nextInt(1500));
		node.thaw();
	}

	private void kill(ProjectorProcess node) {
		this.kills.merge(this.phase, 1, Integer::sum);
		node.kill();
		node.start(this.world);
		if (this.random.nextBoolean()) {
			node.awaitReady();
		}
	}

	/** The node that owns the live generation or the one beside it; waits for one. */
	private ProjectorProcess owner() {
		boolean live = this.random.nextBoolean();
		List<ProjectorProcess> found = new ArrayList<>();
		patiently().pollInterval(LOOK).until(() -> {
			List<Long> owners = this.jdbc.query("""
					select owner from eventing.leases
					 where lease_name like 'projector/%' and expires_at > clock_timestamp()
					 order by (lease_name = ?) = ? desc""", (row, number) -> pid(row.getString(1)),
					"projector/" + this.projector, live);
			owners.forEach((
					pid) -> nodes().stream().filter((node) -> node.isAlive() && node.pid() == pid).forEach(found::add));
			return !found.isEmpty();
		});
		return found.get(0);
	}

	private boolean isHolding() {
		return count("""
				select count(*) from eventing.projection_requests
				 where status = 'PENDING' and action = '%s' and hold_until is not null""".formatted(Action.SWITCH)) > 0;
	}

	private List<ProjectorProcess> nodes() {
		return List.of(this.one, this.two);
	}

	/** Nodes are named host:pid/mark. */
	private static long pid(String owner) {
		return Long.parseLong(owner.substring(owner.lastIndexOf(':') + 1, owner.indexOf('/')));
	}

	final void passTime(long millis) {
		try {
			assertThat(this.never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	// ---- Readers and writers ----

	/** Reads all versions by the table's name again and again; none goes back. */
	private long read() {
		Map<String, Long> seen = new HashMap<>();
		long reads = 0;
		while (!this.enough.get()) {
			this.jdbc.query("select account, version from account where tenant_id = ?", (row) -> {
				Long before = seen.put(row.getString(1), row.getLong(2));
				assertThat(row.getLong(2)).as("version of " + row.getString(1))
					.isGreaterThanOrEqualTo((before != null) ? before : 0);
			}, World.ACME.value());
			assertThat(seen).hasSize(this.writers * ACCOUNTS);
			reads++;
			passTime(5);
		}
		return reads;
	}

	private int write(int writer) {
		int version = BEFORE;
		while (!this.enough.get()) {
			append(writer, version++, 0.05 * (writer + 1));
			passTime(REST);
		}
		return version;
	}

	// ---- What must be so in the end ----

	private void assertThatTheReadModelIsThatOfAllEvents(String schema) {
		assertThat(this.jdbc.queryForList("select * from " + schema + ".violations")).as(schema).isEmpty();
		assertThatAllEventsAreIn(schema);
		assertThat(count("select count(*) from " + schema + ".account")).isEqualTo((long) this.writers * ACCOUNTS);
	}

	void assertThatNothingIsLeft() {
		assertThat(count("select count(*) from pg_namespace where nspname like '" + this.projector + "%'")).isZero();
		for (String table : List.of("leases", "lease_epochs")) {
			patiently().untilAsserted(() -> assertThat(
					this.jdbc.queryForList("select * from eventing." + table + " where lease_name like '%#%'"))
				.as(table)
				.isEmpty());
		}
		for (String table : List.of("projector_checkpoints", "projector_handouts", "projector_attempts",
				"projector_coverage", "dead_letters", "processed_events")) {
			assertThat(this.jdbc
				.queryForList("select * from eventing." + table + " where projector_name like '%#%' limit 9")).as(table)
				.isEmpty();
		}
		assertThat(count("select count(*) from eventing.projection_lanes")).isZero();
		assertThat(count("select count(*) from eventing.dead_letters")).isZero();
		assertThat(count("select count(*) from eventing.projector_attempts")).isZero();
		assertThat(count("select count(*) from eventing.projection_requests where status = 'PENDING'"
				+ " and expires_at > clock_timestamp()"))
			.isZero();
		assertThat(count("select count(*) from eventing.processed_events")).isEqualTo(events());
		// The report of a dead node may stay for a minute.
		patiently().untilAsserted(() -> assertThat(this.jdbc
			.queryForList("select node from eventing.projector_nodes where projector_name like '%#%'", String.class))
			.noneMatch((node) -> nodes().stream().anyMatch((each) -> each.pid() == pid(node))));
	}

	final long count(String sql) {
		Long count = this.jdbc.queryForObject(sql, Long.class);
		return (count != null) ? count : 0;
	}

	/** The phases of a run. */
	private enum Phase {

		BUILDING(1500), SWITCHING(1200), STANDBY(500), RETIRING(300);

		/** The longest time in milliseconds until a strike. */
		private final int longest;

		Phase(int longest) {
			this.longest = longest;
		}

	}

}
