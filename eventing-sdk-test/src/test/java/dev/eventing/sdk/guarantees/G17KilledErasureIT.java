package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ReadModelRows;
import dev.eventing.sdk.erasure.Erasure;
import dev.eventing.sdk.erasure.ErasureRequest;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G17: wherever in an erasure the process dies, which applies the events as well, all is
 * erased and audited, or nothing, and the erasure can be asked for again.
 */
@Tag("crash")
class G17KilledErasureIT extends ErasureSetup {

	private static final int KILLS = 20;

	private static final int BATCH = 100;

	/** The longest time between an append and the end of the process, in ms. */
	private static final int LONGEST = 1500;

	private static final String UNERASED = """
			select count(*) from eventing.events
			 where tenant_id = 'acme' and stream_id = '%s' and metadata -> 'erased' is null""";

	/** An erasure that needs one of them, in this order, can be made to wait there. */
	private static final List<String> ON_ITS_WAY = List.of("processed_events", "snapshots", "dead_letters",
			"projector_attempts", "projection_effects", "erasures");

	@RegisterExtension
	final ProjectorProcess node = ProjectorProcess.of(Erasing.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final Set<Integer> unerased = new TreeSet<>();

	private int within;

	@Test
	void erasesAllOrNothingHoweverOftenItsProcessIsKilled() {
		System.out.println("crash.seed=" + this.seed);
		for (int kill = 0; kill < KILLS; kill++) {
			this.node.start(this.world);
			this.node.awaitReady();
			awaitDeclared();
			append(World.ACME, "b", "bob" + kill);
			if (kill % 2 == 0) {
				killAtATable(kill);
			}
			else {
				killAtATime(kill);
			}
			this.within += isErased(kill) ? 0 : 1;
			assertThatAllIsErasedOrNothing();
		}
		System.out.printf("%d kills, %d of them before the end of the erasure%n", KILLS, this.within);
		assertThat(this.within).isBetween(KILLS / 2, KILLS);
		this.node.start(this.world);
		String all = IntStream.range(0, KILLS).mapToObj((kill) -> "bob" + kill).collect(Collectors.joining(" "));
		await().atMost(Patience.PROCESS)
			.untilAsserted(() -> assertThat(names("public", World.ACME, "b")).isEqualTo(all));
		await().atMost(Patience.PROCESS).until(() -> this.erasure.plan(request("a")).total() == 0);
		assertThatNothingIsFound();
		assertThat(audited()).isEqualTo((long) KILLS * BATCH);
	}

	/** In the middle of the transaction, wherever that needs the table. */
	private void killAtATable(int kill) {
		// one that has begun would have the stream, and wait for the table
		await().atMost(Patience.PROCESS).until(() -> this.world.count(UNERASED.formatted(stream("a"))) == 0);
		String table = "eventing." + ON_ITS_WAY.get(this.random.nextInt(ON_ITS_WAY.size()));
		this.world.whileHolding("lock table " + table + " in share row exclusive mode", () -> {
			appendBatch(kill);
			await().atMost(Patience.PROCESS).pollInterval(Duration.ofMillis(5)).until(this::waitsInAnErasure);
			this.node.kill();
		});
	}

	/** It has the lock of erasures, and waits for the one of the table. */
	private boolean waitsInAnErasure() {
		return this.world.count("""
				select count(*) from pg_locks waits join pg_locks has using (pid)
				 where not waits.granted and waits.locktype = 'relation' and has.granted and has.locktype = 'advisory'
				   and waits.database = (select oid from pg_database where datname = current_database())""") > 0;
	}

	private void killAtATime(int kill) {
		appendBatch(kill);
		long end = System.nanoTime() + Duration.ofMillis(this.random.nextInt(LONGEST)).toNanos();
		await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() - end > 0);
		this.node.kill();
	}

	/** In one transaction, so that an erasure meets all of them or none. */
	private void appendBatch(int kill) {
		List<NewEvent> events = IntStream.range(0, BATCH)
			.mapToObj((i) -> NewEvent.of(new Named("a", name(kill))))
			.toList();
		this.world.inTransaction((store) -> store.append(World.ACME, stream("a"), ExpectedVersion.any(), events));
		this.unerased.add(kill);
	}

	private String name(int kill) {
		return this.secret + "r" + kill + "x";
	}

	private void assertThatAllIsErasedOrNothing() {
		// the server rolls back when it notices that the client is gone
		await().until(() -> this.world.count("""
				select count(*) from pg_stat_activity
				 where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'""") == 0);
		for (int kill : List.copyOf(this.unerased)) {
			if (isErased(kill)) {
				assertThat(found(name(kill))).as("contents of round %d", kill).isEmpty();
				this.unerased.remove(kill);
			}
			else {
				assertThat(found(name(kill))).as("contents of round %d", kill)
					.containsEntry("eventing.events", (long) BATCH);
			}
		}
		assertThat(audited())
			.isEqualTo(this.world.count("select count(*) from eventing.events where metadata -> 'erased' is not null"));
	}

	private boolean isErased(int kill) {
		return !found(name(kill)).containsKey("eventing.events");
	}

	private long audited() {
		return this.world.count("select coalesce(sum((erased ->> 'events')::bigint), 0) from eventing.erasures");
	}

	/**
	 * Applies people, and erases one of them again whenever there is something to erase.
	 */
	@Projector(value = PEOPLE, tables = "person",
			rows = @ReadModelRows(streamColumn = "stream", streamPrefix = "${root}-"))
	static class Erasing extends Stored {

		@Autowired
		private ObjectProvider<Erasure> erasure;

		@Autowired
		private Environment environment;

		private final AtomicBoolean started = new AtomicBoolean();

		@EventListener(ContextRefreshedEvent.class)
		void begin() {
			if (this.started.compareAndSet(false, true)) {
				Thread thread = new Thread(this::eraseOn, "erasing");
				thread.setDaemon(true);
				thread.start();
			}
		}

		private void eraseOn() {
			String stream = this.environment.getProperty("root") + "-a";
			ErasureRequest request = new ErasureRequest(World.ACME, stream, "anna", "request 4711");
			while (true) {
				Long unerased = this.jdbc.queryForObject(UNERASED.formatted(stream), Long.class);
				if (unerased != null && unerased > 0) {
					this.erasure.getObject().erase(request);
				}
			}
		}

	}

}
