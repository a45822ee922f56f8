package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projector.ProjectorLag;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.AppendResult;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import io.nats.client.api.ConsumerInfo;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** How far projectors are, and waiting for one's own write. */
class ProjectorProgressIT {

	private static final Duration IMPATIENCE = Duration.ofMillis(300);

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void letsACallerReadItsOwnWrite(Source source) throws InterruptedException {
		try (AnnotationConfigApplicationContext application = start(source, new Accounts())) {
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			for (int version = 1; version <= 20; version++) {
				long position = append(source, version).lastPosition();
				assertThat(progress.awaitPosition(Accounts.PROJECTOR, position, Patience.LONG)).isTrue();
				assertThat(this.world.version(World.ACME, "a")).isEqualTo(version);
			}
		}
	}

	/** Its own write is not visible to the projector then, so it would wait in vain. */
	@Test
	void refusesToWaitInATransaction() {
		try (AnnotationConfigApplicationContext application = start(Source.EVENT_STORE, new Accounts())) {
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			assertThatThrownBy(() -> this.world.inTransaction((store) -> isThere(progress)))
				.isInstanceOf(WrongTransactionException.class)
				.hasMessageContaining("Consider awaitPosition after the commit.");
		}
	}

	private static boolean isThere(ProjectorProgress progress) {
		try {
			return progress.awaitPosition(Accounts.PROJECTOR, 1, IMPATIENCE);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void tellsHowFarAProjectorIsBehindAndGivesUpWaitingInTime(Source source) throws InterruptedException {
		try (AnnotationConfigApplicationContext application = start(source, new Accounts())) {
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			long first = append(source, 1).lastPosition();
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, first, Patience.LONG)).isTrue();
			await().until(() -> progress.lag(Accounts.PROJECTOR).equals(ProjectorLag.NONE));
			pause(application);
			for (int version = 2; version <= 4; version++) {
				append(source, version);
			}
			long last = append(source, 5).lastPosition();
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, last, IMPATIENCE)).isFalse();
			ProjectorLag lag = progress.lag(Accounts.PROJECTOR);
			assertThat(lag.events()).isEqualTo(4);
			assertThat(lag.time()).isBetween(IMPATIENCE, Patience.LONG);
			application.getBean(ProjectorRegistry.class).resume(Accounts.PROJECTOR);
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, last, Patience.LONG)).isTrue();
			await().until(() -> progress.lag(Accounts.PROJECTOR).equals(ProjectorLag.NONE));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void takesADeadLetterForSettled(Source source) throws InterruptedException {
		Accounts refusing = new Accounts((event) -> {
			throw new Accounts.Refused();
		});
		try (AnnotationConfigApplicationContext application = start(source, refusing)) {
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			long position = append(source, 1).lastPosition();
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, position, Patience.LONG)).isTrue();
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).hasSize(1);
		}
	}

	/** As where a read model is emptied by hand and fed again. */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void takesAClosedLetterForNothingWhereItsEventIsToBeAppliedAnew(Source source) throws InterruptedException {
		AtomicBoolean broken = new AtomicBoolean(true);
		Accounts accounts = new Accounts((event) -> {
			if (broken.get()) {
				throw new Accounts.Refused();
			}
		});
		DeadLetterFilter all = DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR);
		try (AnnotationConfigApplicationContext application = start(source, accounts)) {
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			long position = append(source, 1).lastPosition();
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			broken.set(false);
			this.world.operators().redrive(RedriveRequest.of(all, "ops"));
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, position, Patience.LONG)).isTrue();
			application.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
			this.world.jdbc().execute("truncate account, eventing.processed_events, eventing.projector_checkpoints");
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, position, IMPATIENCE)).isFalse();
			this.world.jdbc().update("update eventing.dead_letters set status = 'PARKED', closed_at = null");
			this.world.operators().discard(all, "ops", "not wanted");
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, position, Patience.LONG)).isTrue();
		}
	}

	@Test
	void tellsOnANodeThatStandsByToo() throws InterruptedException {
		try (AnnotationConfigApplicationContext owner = start(Source.EVENT_STORE, new Accounts());
				AnnotationConfigApplicationContext standby = start(Source.EVENT_STORE, new Accounts())) {
			await().until(() -> World.status(owner, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			await().until(() -> World.status(standby, Accounts.PROJECTOR).state() == ProjectorState.STANDBY);
			long position = append(Source.EVENT_STORE, 1).lastPosition();
			ProjectorProgress progress = standby.getBean(ProjectorProgress.class);
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, position, Patience.LONG)).isTrue();
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(1);
		}
	}

	/** What lies before it in the stream may be the projector's all the same. */
	@Test
	void waitsBehindAnEventThatNobodyTakesUntilRelayAndDurableArePastIt() throws InterruptedException {
		try (AnnotationConfigApplicationContext application = start(Source.JETSTREAM, new Accounts())) {
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			AppendResult both = this.world.inTransaction((store) -> store.append(World.ACME,
					this.world.storedStream("a"), ExpectedVersion.any(), NewEvent.of(new Deposited("a", 1, 1)),
					NewEvent.of(new Deposited("a", 2, 1)).withType("Noted")));
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, both.lastPosition(), IMPATIENCE)).isFalse();
			pause(application);
			publish(both.firstPosition());
			publish(both.lastPosition());
			this.world.jdbc().update("insert into eventing.relays (relay_name) values ('other')");
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, both.lastPosition(), IMPATIENCE)).isFalse();
			this.world.jdbc()
				.update("insert into eventing.relay_positions (relay_name, position) values ('other', ?)",
						both.firstPosition());
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, both.lastPosition(), IMPATIENCE)).isFalse();
			this.world.jdbc().update("update eventing.relay_positions set position = ?", both.lastPosition());
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, both.lastPosition(), IMPATIENCE)).isFalse();
			application.getBean(ProjectorRegistry.class).resume(Accounts.PROJECTOR);
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, both.lastPosition(), Patience.LONG)).isTrue();
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(1);
		}
	}

	@Test
	void waitsForNothingThatOnlyAVersionTakesWhichIsNotLive() throws InterruptedException {
		startOnce(new First());
		try (AnnotationConfigApplicationContext application = start(Source.JETSTREAM, new First(), new Second())) {
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			AppendResult both = this.world
				.inTransaction((store) -> store.append(World.ACME, this.world.storedStream("a"), ExpectedVersion.any(),
						NewEvent.of(new Deposited("a", 2, 1)), NewEvent.of(new Withdrawn("a"))));
			publish(both.firstPosition());
			publish(both.lastPosition());
			this.world.jdbc().update("insert into eventing.relays (relay_name) values ('other')");
			this.world.jdbc()
				.update("insert into eventing.relay_positions (relay_name, position) values ('other', ?)",
						both.lastPosition());
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, both.lastPosition(), Patience.LONG)).isTrue();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(2);
		}
	}

	@Test
	void tellsTheLagOfTheLiveVersionWhateverTheNewestOneListensTo() {
		startOnce(new First());
		try (AnnotationConfigApplicationContext application = start(Source.JETSTREAM, new First(), new Second())) {
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			this.world.publisher()
				.publish(this.world.root() + ".{tenant}.noted", this.world.deposit(World.ACME, "b", 1));
			pause(application);
			Instant before = Instant.now();
			this.world.publish(World.ACME, "a", 2, 2);
			ProjectorLag lag = progress.lag(Accounts.PROJECTOR);
			assertThat(lag.events()).isEqualTo(1);
			assertThat(lag.time()).isLessThanOrEqualTo(Duration.between(before, Instant.now()));
		}
	}

	/** So that this version is the live one from then on. */
	private void startOnce(First version) {
		try (AnnotationConfigApplicationContext application = start(Source.JETSTREAM, version)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.count("select count(*) from eventing.processed_events") == 1);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void saysWhichProjectorsThereAreWhenAskedForAnother() {
		try (AnnotationConfigApplicationContext application = start(Source.EVENT_STORE, new Accounts())) {
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			assertThatThrownBy(() -> progress.lag("other")).isInstanceOf(UnknownNameException.class)
				.hasMessageContaining(Accounts.PROJECTOR);
		}
	}

	/** Until no request for deliveries is open any more, and no read of the store. */
	private void pause(AnnotationConfigApplicationContext application) {
		application.getBean(ProjectorRegistry.class).pause(Accounts.PROJECTOR);
		await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.PAUSED
				&& openRequests() == 0);
		Steady.holds(Duration.ofMillis(500), () -> openRequests() == 0);
	}

	private long openRequests() {
		return this.world.<Long>jetStream((management) -> management.getConsumers(this.world.stream())
			.stream()
			.mapToLong(ConsumerInfo::getNumWaiting)
			.sum());
	}

	/** Appends, and for a projector that reads JetStream does what a relay would. */
	private AppendResult append(Source source, long version) {
		AppendResult result = this.world.append(World.ACME, "a", version, version);
		if (source == Source.JETSTREAM) {
			publish(result.lastPosition());
		}
		return result;
	}

	private void publish(long position) {
		this.world.publish(this.world.stored(position));
	}

	private AnnotationConfigApplicationContext start(Source source, Object... handlers) {
		return this.world.start(WorldApplication.of(handlers).with(ProjectorSettings.builder().source(source).build()));
	}

	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class First {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event) {
		}

	}

	/** It takes another type, and listens to another subject. */
	@Projector(value = Accounts.PROJECTOR, version = 2, tables = "account")
	static class Second extends First {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Withdrawn event) {
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.noted")
		public void onNoted(Noted event) {
		}

		record Noted(String account) {
		}

	}

}
