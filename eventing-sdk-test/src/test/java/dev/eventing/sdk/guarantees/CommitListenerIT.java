package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.CommitListener;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A listener of commits gets exactly the events that were applied. */
@ExtendWith(OutputCaptureExtension.class)
class CommitListenerIT {

	private static final ProjectorSettings SETTINGS = ProjectorSettings.builder()
		.maxDeliver(2)
		.batchSize(20)
		.concurrency(2)
		.retryDelay(Duration.ofMillis(50))
		.retryMultiplier(1.0)
		.retryMaxDelay(Duration.ofMillis(50))
		.build();

	@AutoClose
	private final World world = World.create();

	private final Reports reports = new Reports();

	private final AtomicBoolean broken = new AtomicBoolean(true);

	@Test
	void getsAnEventAfterItsCommitAndBeforeItsAckAndNoDuplicate() {
		CountDownLatch hold = new CountDownLatch(1);
		this.reports.hold = hold;
		try (AnnotationConfigApplicationContext application = start(new Accounts(), SETTINGS)) {
			Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
			this.world.publish(event);
			await().until(() -> this.reports.entered.getCount() == 0);
			assertThat(this.world.version(World.ACME, "a")).as("committed").isEqualTo(1);
			assertThat(this.world.unsettled(Accounts.PROJECTOR)).as("not acked").isEqualTo(1);
			hold.countDown();
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			await().pollInterval(Duration.ofMillis(50)).until(() -> {
				this.world.publish(event);
				return World.status(application, Accounts.PROJECTOR).counts().duplicates() >= 2;
			});
			this.reports.assertExactly("a 1");
		}
	}

	@Test
	void getsRetriedEventsOnceAndDeadLettersWhenARedriveHasAppliedThem() {
		AtomicBoolean flaky = new AtomicBoolean(true);
		Accounts accounts = new Accounts((event) -> {
			boolean fails = (event.account().equals("bad") && this.broken.get())
					|| (event.account().equals("flaky") && event.version() == 5 && flaky.getAndSet(false));
			if (fails) {
				throw new Accounts.Refused();
			}
		});
		List<String> applied = new ArrayList<>();
		for (long version = 1; version <= 10; version++) {
			for (String account : List.of("bad", "flaky", "good")) {
				this.world.publish(World.ACME, account, version, version);
			}
			applied.add("flaky " + version);
			applied.add("good " + version);
		}
		try (AnnotationConfigApplicationContext application = start(accounts, SETTINGS)) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 20);
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 10);
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			assertThat(flaky).as("whether the retry was not needed").isFalse();
			this.reports.assertExactly(applied.toArray(String[]::new));
			this.broken.set(false);
			application.getBean(DeadLetters.class)
				.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "ops"));
			await().until(() -> this.reports.of("bad").size() == 10);
			assertThat(this.reports.of("bad")).isSorted().doesNotHaveDuplicates();
			await().until(() -> this.world
				.count("select count(*) from eventing.dead_letters where status = 'RESOLVED'") == 10);
			assertThat(this.reports.events).hasSize(30);
			assertThat(this.reports.uncommitted).isEmpty();
		}
	}

	@Test
	void getsNothingOfACommitThatFailsAndTheRestOfTheBatchOnce() {
		this.world.jdbc().execute("""
				create table allowed (version bigint primary key);
				insert into allowed select * from generate_series(1, 39);
				alter table account add foreign key (version) references allowed deferrable initially deferred""");
		this.world.publish(World.ACME, "a", 1, 40);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), SETTINGS)) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().processed()).isEqualTo(39);
			this.reports.assertExactly(versionsOf("a", 39));
		}
	}

	@Test
	void getsTheEventsOfABatchHandlerThatOnlyAPartOfTheBatchFails() {
		this.world.publish(World.ACME, "a", 1, 30);
		Batches batches = new Batches();
		try (AnnotationConfigApplicationContext application = start(batches, SETTINGS)) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1);
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 14);
			assertThat(batches.failures).as("a batch was split").anyMatch((size) -> size > 1);
			this.reports.assertExactly(versionsOf("a", 16));
		}
	}

	@Test
	void getsTheEventsOfTheEventStoreToo() {
		this.world.append(World.ACME, "a", 1, 5);
		try (AnnotationConfigApplicationContext application = start(new Accounts(),
				SETTINGS.toBuilder().source(Source.EVENT_STORE).build())) {
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) == 5);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 5);
			this.reports.assertExactly(versionsOf("a", 5));
		}
	}

	@Test
	void harmsNothingWhenItThrowsAndIsLoggedOnce(CapturedOutput output) {
		this.reports.fails = true;
		try (AnnotationConfigApplicationContext application = start(new Accounts(), SETTINGS)) {
			this.world.publish(World.ACME, "a", 1, 5);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 5);
			this.world.publish(World.ACME, "a", 6, 10);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 10);
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			assertThat(World.status(application, Accounts.PROJECTOR).counts()).satisfies((counts) -> {
				assertThat(counts.failedAttempts()).isZero();
				assertThat(counts.deadLetters()).isZero();
				assertThat(counts.duplicates()).isZero();
			});
			this.reports.assertExactly(versionsOf("a", 10));
			assertThat(output.getOut().lines().filter((line) -> line.contains("ERROR") && line.contains("Listener")))
				.singleElement()
				.asString()
				.contains("of projector 'accounts' failed after the commit of");
		}
	}

	private static String[] versionsOf(String account, int last) {
		String[] versions = new String[last];
		for (int version = 1; version <= last; version++) {
			versions[version - 1] = account + " " + version;
		}
		return versions;
	}

	private AnnotationConfigApplicationContext start(Object handlers, ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(handlers)
			.with(settings)
			.customize((context) -> context.registerBean("listening", ListeningEndpoints.class,
					() -> new ListeningEndpoints(context, this.reports))));
	}

	/** The reports to the listener. */
	private final class Reports implements CommitListener {

		final List<String> events = new CopyOnWriteArrayList<>();

		final List<String> uncommitted = new CopyOnWriteArrayList<>();

		final CountDownLatch entered = new CountDownLatch(1);

		volatile CountDownLatch hold = new CountDownLatch(0);

		volatile boolean fails;

		@Override
		public void committed(ProjectorId projector, List<Event<?>> applied) {
			assertThat(projector).isEqualTo(ProjectorId.of(Accounts.PROJECTOR));
			for (Event<?> event : applied) {
				Deposited deposited = (Deposited) event.payload();
				String description = deposited.account() + " " + deposited.version();
				this.events.add(description);
				if (TransactionSynchronizationManager.isActualTransactionActive() || !isCommitted(event)) {
					this.uncommitted.add(description);
				}
			}
			this.entered.countDown();
			await(this.hold);
			if (this.fails) {
				throw new Accounts.Refused();
			}
		}

		/** By another connection than that of the projector. */
		private boolean isCommitted(Event<?> event) {
			return CommitListenerIT.this.world
				.count("select count(*) from eventing.processed_events where event_id = '" + event.id() + "'") == 1;
		}

		private void await(CountDownLatch latch) {
			try {
				assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		List<Long> of(String account) {
			return this.events.stream()
				.filter((event) -> event.startsWith(account + " "))
				.map((event) -> Long.valueOf(event.substring(account.length() + 1)))
				.toList();
		}

		void assertExactly(String... expected) {
			assertThat(this.events).containsExactlyInAnyOrder(expected);
			assertThat(this.uncommitted).isEmpty();
		}

	}

	/** Fails each batch that has version 17. */
	static class Batches {

		@Autowired
		JdbcTemplate jdbc;

		final List<Integer> failures = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = Accounts.PROJECTOR)
		public void on(List<Event<Deposited>> events) {
			for (Event<Deposited> event : events) {
				World.apply(this.jdbc, event.payload(), event.tenantId().value());
			}
			if (events.stream().anyMatch((event) -> event.payload().version() == 17)) {
				this.failures.add(events.size());
				throw new Accounts.Refused();
			}
		}

	}

}
