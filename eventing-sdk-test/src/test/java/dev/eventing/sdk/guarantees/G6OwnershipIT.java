package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G6 across nodes: of three that run the same projectors one owns each. If one is killed
 * or frozen, another one takes over within seconds, each account sees its events in
 * order, and a former owner that wakes up commits nothing and takes no event away.
 */
@Tag("crash")
class G6OwnershipIT {

	private static final int STRIKES = 20;

	private static final int ACCOUNTS = 20;

	/** So long that a node which just took over catches up beside those that start. */
	private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(100);

	private static final Duration LONGEST_TAKEOVER = Duration.ofSeconds(10);

	/**
	 * A row whose transaction commits when its epoch is over is one of a former owner.
	 */
	private static final String APPLIED = """
			create table applied (seq bigserial, lease text, account text, version bigint, epoch bigint, pid bigint);
			create table late_commits (lease text, epoch bigint, pid bigint);
			create function check_epoch() returns trigger language plpgsql as $$
			begin
			  if new.epoch <> (select epoch from eventing.leases where lease_name = new.lease) then
			    insert into late_commits values (new.lease, new.epoch, new.pid);
			  end if;
			  return null;
			end $$;
			create constraint trigger check_epoch after insert on applied
			  deferrable initially deferred for each row execute function check_epoch()""";

	@RegisterExtension
	final ProjectorProcess one = ProjectorProcess.of(Accounts.class);

	@RegisterExtension
	final ProjectorProcess two = ProjectorProcess.of(Accounts.class);

	@RegisterExtension
	final ProjectorProcess three = ProjectorProcess.of(Accounts.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final CountDownLatch never = new CountDownLatch(1);

	private final List<Long> takeovers = new ArrayList<>();

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute(APPLIED);
	}

	@Test
	void keepsOrderAndEffectsWhoeverOwnsTheProjectorsAndHoweverItEnds() throws InterruptedException {
		System.out.println("crash.seed=" + this.seed);
		for (ProjectorProcess node : nodes()) {
			node.start(this.world);
			node.awaitReady();
		}
		int kills = 0;
		try (Load published = Load.of(this.world, ACCOUNTS, BETWEEN_ROUNDS);
				Load appended = Load.ofAppends(this.world, ACCOUNTS, BETWEEN_ROUNDS)) {
			published.awaitApplied(3);
			appended.awaitApplied(3);
			for (int strike = 0; strike < STRIKES; strike++) {
				passTime(this.random.nextInt(500));
				String lease = this.random.nextBoolean() ? Accounts.PUBLISHED : Accounts.APPENDED;
				kills += strike(owner(lease)) ? 1 : 0;
			}
			published.stopAndAwaitAll();
			appended.stopAndAwaitAll();
		}
		this.takeovers.sort(null);
		System.out.printf("%d events, %d kills, %d freezes, %d takeovers: longest %d ms, median %d ms%n",
				this.world.count("select count(*) from applied"), kills, STRIKES - kills, this.takeovers.size(),
				this.takeovers.get(this.takeovers.size() - 1), this.takeovers.get(this.takeovers.size() / 2));
		assertThatNoFormerOwnerCommitted();
		assertThat(this.world.jdbc().queryForList("select * from eventing.dead_letters")).isEmpty();
		assertThat(this.world.count("select count(*) from eventing.processed_events"))
			.isEqualTo(this.world.count("select count(*) from applied"));
	}

	/** Kills the node, or freezes it until others own what it owned. */
	private boolean strike(ProjectorProcess node) throws InterruptedException {
		Map<String, Long> owned = epochsOf(node);
		boolean kill = this.random.nextBoolean();
		Stopwatch watch = Stopwatch.start();
		if (kill) {
			node.kill();
		}
		else {
			node.freeze();
		}
		owned.forEach(this::awaitTakeover);
		Elapsed takeover = watch.stop();
		takeover.assertWithin(LONGEST_TAKEOVER);
		this.takeovers.add(takeover.took().toMillis());
		if (kill) {
			node.start(this.world);
			node.awaitReady();
		}
		else {
			passTime(this.random.nextInt(1500));
			node.thaw();
		}
		return kill;
	}

	/** Another node does not only own it, but has committed something. */
	private void awaitTakeover(String lease, long epoch) {
		await().pollInterval(Duration.ofMillis(10))
			.until(() -> this.world
				.count("select coalesce(max(epoch), 0) from applied where lease = '%s'".formatted(lease)) > epoch);
	}

	private void assertThatNoFormerOwnerCommitted() {
		JdbcTemplate jdbc = this.world.jdbc();
		assertThat(jdbc.queryForList("select * from violations")).isEmpty();
		assertThat(jdbc.queryForList("select * from late_commits")).isEmpty();
		assertThat(jdbc.queryForList("""
				select * from (select lease, seq, epoch, max(epoch) over (partition by lease order by seq) as highest
				                 from applied) a
				 where epoch < highest""")).as("rows of an epoch behind those of a later one").isEmpty();
		assertThat(jdbc
			.queryForList("select lease, epoch from applied group by lease, epoch having count(distinct pid) > 1"))
			.as("epochs with two owners")
			.isEmpty();
	}

	private List<ProjectorProcess> nodes() {
		return List.of(this.one, this.two, this.three);
	}

	private ProjectorProcess owner(String lease) {
		long pid = pid(this.world.jdbc()
			.queryForObject("select owner from eventing.leases where lease_name = ?", String.class, lease));
		return nodes().stream().filter((node) -> node.pid() == pid).findFirst().orElseThrow();
	}

	/** Of the projectors: what a node prunes and forwards applies no events. */
	private Map<String, Long> epochsOf(ProjectorProcess node) {
		Map<String, Long> epochs = new HashMap<>();
		this.world.jdbc()
			.query("select lease_name, owner, epoch from eventing.leases where lease_name in (?, ?)", (row) -> {
				if (pid(row.getString(2)) == node.pid()) {
					epochs.put(row.getString(1), row.getLong(3));
				}
			}, Accounts.PUBLISHED, Accounts.APPENDED);
		return epochs;
	}

	/** Nodes are named host:pid/mark. */
	private static long pid(String owner) {
		return Long.parseLong(owner.substring(owner.lastIndexOf(':') + 1, owner.indexOf('/')));
	}

	private void passTime(long millis) throws InterruptedException {
		assertThat(this.never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
	}

	static class Accounts {

		static final String PUBLISHED = "projector/published";

		static final String APPENDED = "projector/appended";

		private final long pid = ProcessHandle.current().pid();

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "published", concurrency = 2)
		public void published(Deposited event, UUID eventId, String tenantId) {
			apply(PUBLISHED, event, tenantId);
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "appended",
				source = Source.EVENT_STORE, concurrency = 2)
		public void appended(Deposited event, UUID eventId, String tenantId) {
			apply(APPENDED, event, tenantId);
		}

		private void apply(String lease, Deposited event, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
			this.jdbc.update("""
					insert into applied (lease, account, version, epoch, pid)
					select lease_name, ?, ?, epoch, ? from eventing.leases where lease_name = ?""", event.account(),
					event.version(), this.pid, lease);
		}

	}

}
