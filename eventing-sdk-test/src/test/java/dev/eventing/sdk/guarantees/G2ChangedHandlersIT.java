package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G2: the handlers of a projector change from one version of the application to the next,
 * and back: no event of theirs is passed over.
 */
class G2ChangedHandlersIT {

	private static final String PROJECTOR = "changing";

	private final List<String> calls = new CopyOnWriteArrayList<>();

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void handlesWhatASubjectHeldBeforeItsHandlerWasAdded(Source source) {
		send(source, new Withdrawn("early"), new Deposited("early", 1, 1));
		run(new Deposits(), from(source), "deposit early");
		send(source, new Deposited("later", 1, 1), new Withdrawn("later"));
		run(new Both(), from(source), "withdrawal early", "deposit later", "withdrawal later");
		assertThat(this.calls).containsExactly("deposit early", "withdrawal early", "deposit later",
				"withdrawal later");
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void handlesWhatAnOlderVersionPassedOver(Source source) {
		send(source, new Deposited("one", 1, 1), new Withdrawn("one"));
		run(new Both(), from(source), "deposit one", "withdrawal one");
		send(source, new Withdrawn("two"), new Deposited("two", 1, 1));
		run(new Deposits(), from(source), "deposit two");
		send(source, new Deposited("three", 1, 1), new Withdrawn("three"));
		run(new Both(), from(source), "withdrawal two", "deposit three", "withdrawal three");
		assertThat(this.calls).containsExactly("deposit one", "withdrawal one", "deposit two", "withdrawal two",
				"deposit three", "withdrawal three");
	}

	@Test
	void leavesToNewerNodesWhatAnOlderOneThatCompetesCannotHandle() {
		ProjectorSettings competing = ProjectorSettings.builder().concurrency(1).ordering(Ordering.NONE).build();
		send(Source.JETSTREAM, new Deposited("one", 1, 1), new Withdrawn("one"));
		run(new Both(), competing, "deposit one", "withdrawal one");
		try (AnnotationConfigApplicationContext older = start(new Deposits(), competing)) {
			assertThat(older.isActive()).isTrue();
			send(Source.JETSTREAM, new Withdrawn("two"), new Deposited("two", 1, 1));
			await().until(() -> this.calls.contains("deposit two"));
			run(new Both(), competing, "withdrawal two");
		}
		assertThat(this.calls).containsOnlyOnce("withdrawal two", "deposit two");
	}

	/** The older node knows nothing of the subject when it begins to read. */
	@Test
	void leavesToNewerNodesThatAreStartedLaterWhatItCannotHandle() {
		ProjectorSettings competing = competing();
		send(Source.JETSTREAM, new Deposited("one", 1, 1));
		try (AnnotationConfigApplicationContext older = start(new Deposits(), competing)) {
			await().until(() -> this.calls.contains("deposit one"));
			start(new Both(), competing).close();
			send(Source.JETSTREAM, new Withdrawn("one"), new Withdrawn("two"), new Deposited("two", 1, 1));
			await().until(() -> this.calls.contains("deposit two"));
			await().untilAsserted(() -> assertThat(World.status(older, PROJECTOR).detail())
				.contains("leaves events of '" + this.world.root() + ".*.Withdrawn'"));
		}
		run(new Both(), competing, "withdrawal one", "withdrawal two");
		assertThat(this.calls).containsExactlyInAnyOrder("deposit one", "deposit two", "withdrawal one",
				"withdrawal two");
	}

	/**
	 * The durable has the filter of the newer node already, which waits for the table.
	 */
	@Test
	void readsAgainWhatAnOlderNodeSettledBeforeTheNewSubjectWasRecorded() throws InterruptedException {
		ProjectorSettings competing = competing();
		send(Source.JETSTREAM, new Deposited("one", 1, 1));
		try (AnnotationConfigApplicationContext older = start(new Deposits(), competing)) {
			await().until(() -> this.calls.contains("deposit one"));
			List<AnnotationConfigApplicationContext> newer = new CopyOnWriteArrayList<>();
			Thread starting = new Thread(() -> newer.add(start(new Both(), competing)), "newer");
			settleWhileItWaitsForTheTable(starting, () -> {
			});
			await().until(() -> this.calls.contains("withdrawal one"));
			assertThat(World.status(older, PROJECTOR).counts().deadLetters()).isZero();
			starting.join();
			newer.forEach(AnnotationConfigApplicationContext::close);
		}
		assertThat(this.calls).containsExactlyInAnyOrder("deposit one", "withdrawal one");
	}

	/** It finds the subject recorded when it tries again, by itself. */
	@Test
	void readsItAgainAlsoIfTheConnectionOfTheNewerNodeFailsBehindTheRecord() throws InterruptedException {
		send(Source.JETSTREAM, new Deposited("one", 1, 1));
		try (FaultProxy proxy = FaultProxy.to(TestServers.nats().port());
				AnnotationConfigApplicationContext older = start(new Deposits(), competing())) {
			await().until(() -> this.calls.contains("deposit one"));
			List<AnnotationConfigApplicationContext> newer = new CopyOnWriteArrayList<>();
			WorldApplication both = application(new Both(), competing()).natsAt("nats://127.0.0.1:" + proxy.port());
			Thread starting = new Thread(() -> newer.add(this.world.start(both)), "newer");
			settleWhileItWaitsForTheTable(starting, proxy::cut);
			await().until(() -> this.world.count("""
					select count(*) from eventing.projector_coverage
					 where kind = 'SUBJECT' and name like '%.Withdrawn'""") == 1);
			assertThat(this.calls).as("nothing is read through the proxy").containsExactly("deposit one");
			proxy.restore();
			await().until(() -> this.calls.contains("withdrawal one"));
			assertThat(World.status(older, PROJECTOR).counts().deadLetters()).isZero();
			starting.join();
			newer.forEach(AnnotationConfigApplicationContext::close);
		}
		assertThat(this.calls).containsExactlyInAnyOrder("deposit one", "withdrawal one");
	}

	/**
	 * The older node settles an event of the newer one, which is about to record its
	 * subject.
	 * @param before what happens before it does
	 */
	private void settleWhileItWaitsForTheTable(Thread newer, Runnable before) {
		this.world.whileHolding("lock table eventing.projector_coverage in share mode", () -> {
			newer.start();
			await().until(() -> this.world.count("""
					select count(*) from pg_stat_activity
					 where datname = current_database() and wait_event_type = 'Lock'
					       and query like '%projector_coverage%'""") > 0);
			send(Source.JETSTREAM, new Withdrawn("one"));
			await().until(() -> this.world.hasSettledAll(PROJECTOR));
			before.run();
		});
	}

	/** Its events were handled, and it is not known any more whether. */
	@Test
	void nodesThatCompeteReadNothingAgainForASubjectThatAnotherOneCovered() {
		send(Source.JETSTREAM, new Withdrawn("early"), new Deposited("early", 1, 1));
		run(new All(), competing(), "deposit early", "withdrawal early");
		this.world.jdbc().update("delete from eventing.processed_events");
		this.world.jdbc().update("""
				insert into eventing.projector_prunings (projector_name, stream, pruned_before, retention)
				values (?, ?, now(), interval '1 hour')""", PROJECTOR, this.world.stream());
		try (AnnotationConfigApplicationContext application = start(new AllAndWithdrawals(), competing())) {
			assertThat(application.isActive()).isTrue();
			send(Source.JETSTREAM, new Withdrawn("later"));
			await().until(() -> this.calls.contains("withdrawal later"));
		}
		assertThat(this.calls).containsExactlyInAnyOrder("deposit early", "withdrawal early", "withdrawal later");
	}

	private static ProjectorSettings competing() {
		return ProjectorSettings.builder().ordering(Ordering.NONE).build();
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void handlesATypeThatWasSkippedBeforeItsHandlerWasAdded(Source source) {
		send(source, new Deposited("one", 1, 1), new Withdrawn("one"), new Deposited("two", 1, 1));
		run(new AllDeposits(), from(source), "deposit one", "deposit two");
		send(source, new Withdrawn("two"));
		run(new All(), from(source), "withdrawal one", "withdrawal two");
		assertThat(this.calls).containsExactly("deposit one", "deposit two", "withdrawal one", "withdrawal two");
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void handlesNothingAgainOfWhichItHasForgottenWhetherItWasApplied(Source source) {
		send(source, new Withdrawn("early"), new Deposited("early", 1, 1), new Deposited("late", 1, 1));
		run(new Deposits(), from(source), "deposit early", "deposit late");
		this.world.jdbc().update("delete from eventing.processed_events");
		this.world.jdbc()
			.update("""
					insert into eventing.projector_prunings (projector_name, stream, pruned_before, retention)
					values (?, ?, now(), interval '1 hour')""", PROJECTOR,
					(source == Source.JETSTREAM) ? this.world.stream() : null);
		run(new Both(), from(source), "withdrawal early");
		assertThat(this.calls).containsExactly("deposit early", "deposit late", "withdrawal early");
	}

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void leavesOutWhatWasPassedOverIfItIsToldTo(Ordering ordering) {
		ProjectorSettings settings = from(Source.JETSTREAM).toBuilder().ordering(ordering).build();
		send(Source.JETSTREAM, new Withdrawn("early"), new Deposited("early", 1, 1));
		run(new Deposits(), settings, "deposit early");
		ProjectorSettings fromNow = settings.toBuilder().newHandlers(NewHandlersPolicy.FROM_NOW).build();
		try (AnnotationConfigApplicationContext application = start(new Both(), fromNow)) {
			assertThat(application.isActive()).isTrue();
			send(Source.JETSTREAM, new Withdrawn("later"));
			await().until(() -> this.calls.contains("withdrawal later"));
		}
		assertThat(this.calls).containsExactly("deposit early", "withdrawal later");
	}

	@Test
	void doesNotRunWhileAPersonIsToDecideWhatBecomesOfWhatWasPassedOver() {
		send(Source.JETSTREAM, new Withdrawn("early"), new Deposited("early", 1, 1));
		run(new Deposits(), from(Source.JETSTREAM), "deposit early");
		ProjectorSettings refusing = from(Source.JETSTREAM).toBuilder().newHandlers(NewHandlersPolicy.REFUSE).build();
		try (AnnotationConfigApplicationContext application = start(new Both(), refusing)) {
			await().untilAsserted(() -> {
				ProjectorStatus status = World.status(application, PROJECTOR);
				assertThat(status.state()).isEqualTo(ProjectorState.FAILED);
				assertThat(status.detail()).contains("'" + PROJECTOR + "'", this.world.root() + ".*.Withdrawn",
						"new-handlers = rewind");
			});
		}
		run(new Both(), from(Source.JETSTREAM), "withdrawal early");
		assertThat(this.calls).containsExactly("deposit early", "withdrawal early");
	}

	private static ProjectorSettings from(Source source) {
		// one lane, so that events of all accounts have an order
		return ProjectorSettings.builder().concurrency(1).source(source).build();
	}

	/**
	 * Runs a version of the application until it has handled these. An event that a node
	 * of another version takes first comes again after two seconds, and by chance to that
	 * node again.
	 */
	private void run(Object handlers, ProjectorSettings settings, String... expected) {
		try (AnnotationConfigApplicationContext application = start(handlers, settings)) {
			await().until(() -> this.calls.containsAll(List.of(expected)));
			// an event without a handler is behind it, too
			await().until(() -> World.status(application, PROJECTOR).inFlight() == 0);
		}
	}

	private AnnotationConfigApplicationContext start(Object handlers, ProjectorSettings settings) {
		return this.world.start(application(handlers, settings));
	}

	private static WorldApplication application(Object handlers, ProjectorSettings settings) {
		return WorldApplication.of(handlers)
			.with(settings)
			.customize((context) -> context.registerBean(EventSubjects.class,
					() -> EventSubjects.of("{category}.{tenant}.{type}")));
	}

	private void send(Source source, Object... payloads) {
		for (Object payload : payloads) {
			String account = (payload instanceof Deposited deposited) ? deposited.account()
					: ((Withdrawn) payload).account();
			if (source == Source.EVENT_STORE) {
				this.world.inTransaction((store) -> store.append(World.ACME, this.world.storedStream(account),
						ExpectedVersion.any(), NewEvent.of(payload)));
			}
			else {
				this.world.publisher()
					.publish(this.world.root() + ".{tenant}." + payload.getClass().getSimpleName(),
							Event.builder(World.ACME, payload).streamId(account).build());
			}
		}
	}

	@Projector(PROJECTOR)
	class Deposits {

		@ProjectorEventHandler(subject = "${root}.{tenant}.Deposited")
		public void on(Deposited event, UUID eventId, String tenantId) {
			G2ChangedHandlersIT.this.calls.add("deposit " + event.account());
		}

	}

	@Projector(PROJECTOR)
	class Both {

		@ProjectorEventHandler(subject = "${root}.{tenant}.Deposited")
		public void on(Deposited event, UUID eventId, String tenantId) {
			G2ChangedHandlersIT.this.calls.add("deposit " + event.account());
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.Withdrawn")
		public void on(Withdrawn event, UUID eventId, String tenantId) {
			G2ChangedHandlersIT.this.calls.add("withdrawal " + event.account());
		}

	}

	@Projector(PROJECTOR)
	class AllDeposits {

		@ProjectorEventHandler(subject = "${root}.>")
		public void on(Deposited event, UUID eventId, String tenantId) {
			G2ChangedHandlersIT.this.calls.add("deposit " + event.account());
		}

	}

	@Projector(PROJECTOR)
	class AllAndWithdrawals {

		@ProjectorEventHandler(subject = "${root}.>")
		public void on(Deposited event, UUID eventId, String tenantId) {
			G2ChangedHandlersIT.this.calls.add("deposit " + event.account());
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.Withdrawn")
		public void on(Withdrawn event, UUID eventId, String tenantId) {
			G2ChangedHandlersIT.this.calls.add("withdrawal " + event.account());
		}

	}

	@Projector(PROJECTOR)
	class All {

		@ProjectorEventHandler(subject = "${root}.>")
		public void on(Deposited event, UUID eventId, String tenantId) {
			G2ChangedHandlersIT.this.calls.add("deposit " + event.account());
		}

		@ProjectorEventHandler(subject = "${root}.>")
		public void on(Withdrawn event, UUID eventId, String tenantId) {
			G2ChangedHandlersIT.this.calls.add("withdrawal " + event.account());
		}

	}

}
