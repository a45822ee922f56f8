package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.suspect.SuspectGate;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs of letters are counted before they begin, so that a letter is known that ends
 * processes. What ended without a death is none of these.
 */
class G4RedriveRunsIT {

	private static final DeadLetterFilter ALL = DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR);

	private static final String RUNS = "select sum(redrive_runs) from eventing.dead_letters";

	private static final ProjectorSettings ONE_ATTEMPT = ProjectorSettings.builder().maxDeliver(1).build();

	private final AtomicBoolean broken = new AtomicBoolean(true);

	private final AtomicInteger begun = new AtomicInteger();

	private final CountDownLatch free = new CountDownLatch(1);

	@AutoClose
	private final World world = World.create();

	@AfterEach
	void freeHandlers() {
		this.free.countDown();
	}

	/** Until then the server holds the letter, so that no operator can change it. */
	@Test
	void takesARunBackOnceTheServerHasEndedItsTransaction() {
		List<Long> counted = new CopyOnWriteArrayList<>();
		Accounts[] accounts = new Accounts[1];
		accounts[0] = accounts((run) -> {
			counted.add(this.world.count(RUNS));
			if (run == 1) {
				loseLease();
				accounts[0].jdbc.queryForList("select pg_sleep(3)");
			}
		});
		try (AnnotationConfigApplicationContext application = start(accounts[0])) {
			assertThat(application.isActive()).isTrue();
			park("bad", 1);
			redrive();
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 1);
			assertThat(counted).hasSizeGreaterThan(1).containsOnly(1L);
		}
	}

	@Test
	void givesUpNoLetterWhoseRunsLostLeasesCutShortWhileThePoolHadNoConnection() {
		FaultyDataSource[] database = new FaultyDataSource[1];
		Accounts slow = accounts((run) -> {
			if (run <= 3) {
				awaitInterrupt();
			}
		});
		try (HikariDataSource pool = World.dataSource(this.world.jdbcUrl());
				AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(slow)
					.with(ONE_ATTEMPT)
					.lease(Duration.ofSeconds(2))
					.customize((context) -> {
						database[0] = new FaultyDataSource(pool);
						FaultyDataSource.install(context, database[0]);
					}))) {
			assertThat(application.isActive()).isTrue();
			park("bad", 1);
			redrive();
			for (int lost = 1; lost <= 3; lost++) {
				int run = lost;
				await().until(() -> this.begun.get() == run);
				FaultyDataSource.Fault fault = database[0].failFor(Accounts.PROJECTOR + "-redrives", 3,
						new SQLTransientConnectionException("the pool has none now"));
				loseLease();
				await().until(fault::hasStruck);
			}
			await().until(() -> letters(DeadLetterStatus.REDRIVING) == 0);
			assertThat(letters(DeadLetterStatus.RESOLVED)).isEqualTo(1);
		}
	}

	/** As where somebody edits it again and again. */
	@Test
	void countsNoRunOfALetterThatCameToNoHandler() {
		Accounts slow = accounts((run) -> {
		});
		try (AnnotationConfigApplicationContext application = start(slow)) {
			assertThat(application.isActive()).isTrue();
			park("bad", 1);
			this.world.jdbc()
				.execute(
						"""
								create function edit() returns trigger language plpgsql as $$ begin
								  new.edited_payload := convert_to('{"account":"bad","version":1,"amount":' || new.redrive_runs || '}', 'UTF8');
								  return new;
								end $$;
								create sequence edits;
								create trigger edit before update on eventing.dead_letters for each row
								  when (new.redrive_runs > old.redrive_runs and nextval('public.edits') <= 5) execute function edit()""");
			this.world.operators()
				.edit(this.world.deadLetters(Accounts.PROJECTOR).get(0).letterId(),
						"{\"account\":\"bad\",\"version\":1,\"amount\":17}".getBytes(StandardCharsets.UTF_8), "ops",
						"wrong");
			redrive();
			await().until(() -> letters(DeadLetterStatus.REDRIVING) == 0);
			assertThat(letters(DeadLetterStatus.RESOLVED)).isEqualTo(1);
			assertThat(this.begun).hasValue(1);
		}
	}

	@Test
	void runsLettersOneAtATimeOfWhichAnyMayHaveEndedAProcess() throws Exception {
		Accounts slow = accounts((run) -> awaitFree());
		try (AnnotationConfigApplicationContext application = start(slow)) {
			assertThat(application.isActive()).isTrue();
			park("bad-1", 1);
			park("bad-2", 2);
			this.world.jdbc().update("update eventing.dead_letters set redrive_runs = 1 where ordering_key = 'bad-2'");
			redrive();
			await().until(() -> this.begun.get() == 1);
			CompletableFuture<Void> other = CompletableFuture.runAsync(this::takeTurn);
			Steady.holds(Duration.ofMillis(700), () -> !other.isDone());
			this.free.countDown();
			other.get(60, TimeUnit.SECONDS);
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 2);
		}
	}

	private void takeTurn() {
		try {
			SuspectGate.OF_PROCESS.run(() -> {
			});
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Refuses all at first; then it does this in each of its runs. */
	private Accounts accounts(Consumer<Integer> redriven) {
		return new Accounts((event) -> {
			if (this.broken.get()) {
				throw new Accounts.Refused();
			}
			redriven.accept(this.begun.incrementAndGet());
		});
	}

	private AnnotationConfigApplicationContext start(Accounts accounts) {
		return this.world.start(WorldApplication.of(accounts).with(ONE_ATTEMPT).lease(Duration.ofSeconds(2)));
	}

	private void park(String account, int letters) {
		this.world.publish(World.ACME, account, 1, 1);
		await().until(() -> letters(DeadLetterStatus.PARKED) == letters);
	}

	private void redrive() {
		this.broken.set(false);
		this.world.operators().redrive(RedriveRequest.of(ALL, "ops"));
	}

	private long letters(DeadLetterStatus status) {
		return this.world.count("select count(*) from eventing.dead_letters where status = '" + status + "'");
	}

	private void loseLease() {
		this.world.jdbc().update("""
				update eventing.leases set owner = 'another', token = gen_random_uuid(),
				       expires_at = clock_timestamp() + interval '200 ms'
				 where lease_name = 'projector/accounts'""");
	}

	private void awaitFree() {
		try {
			assertThat(this.free.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void awaitInterrupt() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
