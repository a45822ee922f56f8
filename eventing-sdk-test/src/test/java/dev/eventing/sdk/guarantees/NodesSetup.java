package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three nodes, two versions of the code. In each step of a build and of a switch, which
 * the test holds up, its owner dies or freezes for longer than its lease. The others go
 * on, a thawed owner changes nothing, and no version writes to the other's tables:
 * version 2 counts each amount twice. Subclasses supply the events.
 */
abstract class NodesSetup {

	static final String PROJECTOR = "versioned";

	static final int ACCOUNTS = 3;

	private static final int BEFORE = 40;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Duration LOOK = Duration.ofMillis(5);

	/** Where statements wait for the test. */
	private static final int IN_CHECKS = 1;

	private static final int IN_HANDLERS = 2;

	@RegisterExtension
	final ProjectorProcess both;

	@RegisterExtension
	final ProjectorProcess former;

	@RegisterExtension
	final ProjectorProcess later;

	@AutoClose
	final World world = World.create();

	/** Whether there is a check, which waits for {@link Parking}. */
	private final boolean isChecked;

	private final Parking parking = Parking.of(this.world);

	private final Generations generations = new Generations(this.world, PROJECTOR);

	private final AtomicBoolean enough = new AtomicBoolean();

	private int switches;

	/**
	 * Three nodes with one projector.
	 * @param first the class of the handlers of version 1
	 * @param second that of version 2, whose handlers wait for {@link Parking}
	 * @param checks the classes of their checks; none to switch without one
	 */
	NodesSetup(Class<?> first, Class<?> second, Class<?>... checks) {
		this.both = ProjectorProcess.of(beans(checks, first, second));
		this.former = ProjectorProcess.of(beans(checks, first));
		this.later = ProjectorProcess.of(beans(checks, second));
		this.isChecked = checks.length > 0;
	}

	private static Class<?>[] beans(Class<?>[] checks, Class<?>... handlers) {
		return Stream.of(handlers, checks).flatMap(Arrays::stream).toArray(Class<?>[]::new);
	}

	/**
	 * Appends or publishes the next event of each account.
	 * @param pause how long each of them takes at least, in seconds
	 */
	abstract void append(int version, double pause);

	@BeforeEach
	void prepare() {
		for (int version = 0; version < BEFORE; version++) {
			append(version, 0);
		}
	}

	/** Strikes in each step, and looks for what must be so in the end. */
	void strikeInEachStep(Strike strike) throws Exception {
		this.former.start(this.world);
		this.former.awaitReady();
		this.later.start(this.world);
		this.both.start(this.world);
		this.later.awaitReady();
		this.both.awaitReady();
		ExecutorService writer = Executors.newSingleThreadExecutor();
		try {
			Future<Integer> written = writer.submit(this::write);
			struckWhileBuilding(strike);
			if (this.isChecked) {
				switchStruckIn(strike, Parking.hold(IN_CHECKS), () -> this.parking.isParked(IN_CHECKS),
						this::ownerBeside);
			}
			switchStruckIn(strike, "lock table violations in access share mode", this.generations::isHeld,
					this::ownerOfTheLiveOne);
			switchStruckIn(strike, "set transaction isolation level repeatable read; select 1",
					this.generations::isHeld, this::ownerBeside);
			switchStruckIn(strike, "lock table account in access share mode", this::waitsForTables, this::ownerBeside);
			struckRightAfterASwitch(strike);
			this.generations.retire(this.generations.beside().orElseThrow().generation());
			this.enough.set(true);
			int versions = written.get();
			await().atMost(PATIENCE)
				.until(() -> this.world.count("select count(*) from account where version = " + versions) == ACCOUNTS);
			assertThatEachVersionWroteItsOwn();
			assertThatNothingIsLeft();
			assertThat(this.world.count("select count(*) from eventing.dead_letters")).isZero();
			assertThat(this.world.count("select count(*) from eventing.processed_events"))
				.isEqualTo((long) versions * ACCOUNTS);
		}
		finally {
			this.enough.set(true);
			writer.shutdown();
		}
	}

	// ---- Steps ----

	private void struckWhileBuilding(Strike strike) {
		await().atMost(PATIENCE)
			.until(() -> this.world.count("select count(*) from eventing.projector_nodes where version = 2") > 0);
		ProjectorProcess[] struck = new ProjectorProcess[1];
		this.world.whileHolding(Parking.hold(IN_HANDLERS), () -> {
			this.generations.requestBuild();
			await().atMost(PATIENCE).pollInterval(LOOK).until(() -> this.parking.isParked(IN_HANDLERS));
			struck[0] = ownerBeside();
			begin(strike, struck[0]);
			awaitAnotherOwner("#", struck[0]);
		});
		await().atMost(PATIENCE)
			.until(() -> this.generations.beside().orElseThrow().status() == ProjectionGeneration.Status.READY);
		goOn(strike, struck[0]);
	}

	/**
	 * Switches to the other generation, and strikes when the step is reached that waits
	 * for this.
	 */
	private void switchStruckIn(Strike strike, String holdUp, Supplier<Boolean> reached,
			Supplier<ProjectorProcess> owner) {
		ProjectionGeneration target = this.generations.beside().orElseThrow();
		ProjectorProcess[] struck = new ProjectorProcess[1];
		this.world.whileHolding(holdUp, () -> {
			this.generations.requestSwitch(target.generation());
			await().atMost(PATIENCE)
				.pollInterval(LOOK)
				.until(() -> reached.get() || this.generations.status() != Status.PENDING);
			struck[0] = owner.get();
			begin(strike, struck[0]);
		});
		this.generations.awaitEnd();
		assertThatReadersRead();
		goOn(strike, struck[0]);
		awaitSwitched(target.generation());
	}

	private void struckRightAfterASwitch(Strike strike) {
		ProjectionGeneration target = this.generations.beside().orElseThrow();
		this.generations.requestSwitch(target.generation());
		this.generations.awaitEnd();
		requestUntilSwitched(target.generation());
		ProjectorProcess struck = ownerOfTheLiveOne();
		begin(strike, struck);
		await().atMost(PATIENCE).until(this::isMoving);
		goOn(strike, struck);
		awaitSwitched(target.generation());
	}

	private void awaitSwitched(int target) {
		requestUntilSwitched(target);
		this.switches++;
		assertThat(this.world.count("select count(*) from eventing.projection_audit where action = 'SWITCHED'"))
			.isEqualTo(this.switches);
		await().atMost(PATIENCE).until(this::isMoving);
		assertThatEachVersionWroteItsOwn();
	}

	/** The first request may have failed, with a reason. */
	private void requestUntilSwitched(int target) {
		while (this.generations.live() != target) {
			System.out.println("again, because: " + this.generations.detail());
			this.generations.requestSwitch(target);
			this.generations.awaitEnd();
		}
	}

	private static void begin(Strike strike, ProjectorProcess struck) {
		if (strike == Strike.FREEZE) {
			struck.freeze();
		}
		else {
			struck.kill();
		}
	}

	private void goOn(Strike strike, ProjectorProcess struck) {
		if (strike == Strike.FREEZE) {
			struck.thaw();
		}
		else {
			struck.start(this.world);
			struck.awaitReady();
		}
	}

	// ---- What is so ----

	private boolean waitsForTables() {
		return this.world.count("""
				select count(*) from pg_locks
				 where not granted and mode = 'AccessExclusiveLock' and relation = 'public.account'::regclass""") > 0;
	}

	private ProjectorProcess ownerBeside() {
		return owner("projector/versioned#");
	}

	private ProjectorProcess ownerOfTheLiveOne() {
		return owner("projector/versioned");
	}

	private ProjectorProcess owner(String lease) {
		return await().atMost(PATIENCE)
			.pollInterval(LOOK)
			.until(() -> nodes().stream().filter((node) -> owns(node, lease)).findFirst(), (found) -> found.isPresent())
			.orElseThrow();
	}

	private boolean owns(ProjectorProcess node, String lease) {
		return node.isAlive() && this.world.jdbc()
			.queryForList("""
					select owner from eventing.leases
					 where case when ? like '%#' then strpos(lease_name, ?) = 1 else lease_name = ? end
					   and expires_at > clock_timestamp()""", String.class, lease, lease, lease)
			.stream()
			.anyMatch((owner) -> owner.contains(":" + node.pid() + "/"));
	}

	private void awaitAnotherOwner(String mark, ProjectorProcess struck) {
		await().atMost(PATIENCE)
			.until(() -> nodes().stream()
				.filter((node) -> node != struck)
				.anyMatch((node) -> owns(node, "projector/versioned" + mark)));
	}

	private List<ProjectorProcess> nodes() {
		return List.of(this.both, this.former, this.later);
	}

	private void assertThatReadersRead() {
		await().atMost(PATIENCE).ignoreExceptions().until(() -> {
			this.world.jdbc().execute("set lock_timeout = '200ms'; select count(*) from account; reset lock_timeout");
			return true;
		});
	}

	/** The read model follows what is appended. */
	private boolean isMoving() {
		long now = this.world.count("select max(version) from account");
		await().atMost(PATIENCE).until(() -> this.world.count("select max(version) from account") > now);
		return true;
	}

	private void assertThatEachVersionWroteItsOwn() {
		for (ProjectionGeneration each : this.generations.all()) {
			if (each.status() != ProjectionGeneration.Status.RETIRED) {
				String schema = (each.schema() != null) ? each.schema() : "public";
				assertThat(this.world.jdbc().queryForList("select * from " + schema + ".violations")).as(schema)
					.isEmpty();
				assertThat(
						this.world.jdbc()
							.queryForList("select * from %s.account where total <> %d * version * (version + 1) / 2"
								.formatted(schema, each.version())))
					.as("%s, of version %d", schema, each.version())
					.isEmpty();
			}
		}
	}

	void assertThatNothingIsLeft() {
		this.generations.assertThatNothingIsLeft();
	}

	// ---- What is appended ----

	private int write() {
		int version = BEFORE;
		while (!this.enough.get()) {
			append(version++, 0.05);
		}
		return version;
	}

	/** What happens to an owner. */
	enum Strike {

		KILL, FREEZE

	}

}
