package dev.eventing.sdk.guarantees;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.idempotency.PrunedHistoryException;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.projector.PruningStatus;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.Relays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G1: rows of {@code processed_events} go when they are old and no delivery can bring
 * their events again, and not before. Time passes by a clock that is put forward.
 */
class G1PruningIT {

	private static final Duration RETENTION = Duration.ofDays(7);

	private static final Duration LATER = Duration.ofDays(8);

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void deletesOldRowsOfSettledEvents(Source source) {
		send(source, "a", 1, 20);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), source, LATER)) {
			await().until(() -> this.world.version(World.ACME, "a") == 20);
			await().until(() -> rows() == 0);
			await().until(() -> pruned(application).rows() == 20);
			send(source, "a", 21, 30);
			await().until(() -> this.world.version(World.ACME, "a") == 30);
			assertThat(this.world.count("select count(*) from violations")).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void keepsRowsForTheRetention(Source source) {
		send(source, "a", 1, 20);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), source,
				RETENTION.minus(Duration.ofHours(1)))) {
			await().until(() -> this.world.version(World.ACME, "a") == 20);
			World.savePlace(application);
			await().until(() -> savedPlace(source) == 20);
			awaitPasses(application, 3);
			assertThat(rows()).isEqualTo(20);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void keepsOldRowsOfEventsBehindTheFloor(Source source) {
		AtomicBoolean broken = new AtomicBoolean(true);
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("broken") && broken.get()) {
				throw new Accounts.Refused();
			}
		});
		send(source, "broken", 1, 1);
		send(source, "a", 1, 20);
		try (AnnotationConfigApplicationContext application = start(accounts, source, LATER)) {
			await().until(() -> this.world.version(World.ACME, "a") == 20);
			World.savePlace(application);
			awaitPasses(application, 3);
			assertThat(rows()).isEqualTo(20);
			broken.set(false);
			await().until(() -> this.world.version(World.ACME, "broken") == 1);
			World.savePlace(application);
			await().until(() -> rows() == 0);
		}
	}

	/** The newest version drops a subject, and does not feed the live generation. */
	@Test
	void keepsOldRowsOfEventsBehindTheFloorThatOnlyTheLiveVersionListensTo() {
		note("a", 1, 1);
		try (AnnotationConfigApplicationContext former = this.world
			.start(application(Source.JETSTREAM, Duration.ZERO, Ordering.PER_KEY, new First()))) {
			await().until(() -> rows() == 1);
			assertThat(former.isActive()).isTrue();
		}
		note("broken", 1, 1);
		note("a", 2, 3);
		First live = new First();
		live.broken.set(true);
		try (AnnotationConfigApplicationContext application = this.world
			.start(application(Source.JETSTREAM, LATER, Ordering.PER_KEY, live, new Second()))) {
			await().until(() -> live.calls.get() == 2);
			World.savePlace(application);
			awaitPasses(application, 3);
			assertThat(rows()).isEqualTo(3);
			live.broken.set(false);
			await().until(() -> live.calls.get() == 3);
			World.savePlace(application);
			await().until(() -> rows() == 0);
		}
	}

	private void note(String account, long from, long to) {
		for (long version = from; version <= to; version++) {
			this.world.publisher()
				.publish(this.world.root() + ".{tenant}.noted", this.world.deposit(World.ACME, account, version));
		}
	}

	@Test
	void keepsTheRowOfAnEventWhoseDeadLetterIsOpen() {
		send(Source.JETSTREAM, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), Source.JETSTREAM, Duration.ZERO)) {
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(application.isRunning()).isTrue();
		}
		this.world.jdbc()
			.update("""
					insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, subject, headers,
					  payload, stream, stream_sequence, published_at, reason, attempts, first_failed_at)
					select gen_random_uuid(), projector_name, tenant_id, event_id, 'x', '{}', '', 'x', 1, now(), 'x', 1, now()
					  from eventing.processed_events limit 1""");
		try (AnnotationConfigApplicationContext application = start(new Accounts(), Source.JETSTREAM, LATER)) {
			await().until(() -> pruned(application).rows() == 2);
			awaitPasses(application, 2);
			assertThat(rows()).isEqualTo(1);
			this.world.jdbc().update("update eventing.dead_letters set status = 'DISCARDED'");
			await().until(() -> rows() == 0);
		}
	}

	@Test
	void isDoneByOneOfSeveralNodes() {
		send(Source.JETSTREAM, "a", 1, 5);
		AnnotationConfigApplicationContext one = start(new Accounts(), Source.JETSTREAM, LATER);
		await().until(() -> this.world.version(World.ACME, "a") == 5);
		World.savePlace(one);
		try (AnnotationConfigApplicationContext other = start(new Accounts(), Source.JETSTREAM, LATER)) {
			await().until(() -> rows() == 0 && pruned(one).lastPass() != null);
			awaitPasses(one, 3);
			assertThat(pruned(other).lastPass()).isNull();
			one.close();
			await().until(() -> pruned(other).lastPass() != null);
		}
		finally {
			one.close();
		}
	}

	@Test
	void isStoppedByNoErrorAndNotesWhatItForgetsFirst() {
		this.world.jdbc().execute("""
				create function no() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
				create trigger no before delete on eventing.processed_events for each row execute function no()""");
		send(Source.JETSTREAM, "a", 1, 5);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), Source.JETSTREAM, LATER)) {
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			World.savePlace(application);
			await().until(() -> this.world.count("select count(*) from eventing.projector_prunings p"
					+ " where p.pruned_before > (select max(processed_at) from eventing.processed_events)") == 1);
			send(Source.JETSTREAM, "a", 6, 10);
			await().until(() -> this.world.version(World.ACME, "a") == 10);
			assertThat(rows()).isEqualTo(10);
			assertThat(pruned(application).rows()).isZero();
			this.world.jdbc().execute("drop trigger no on eventing.processed_events");
			World.savePlace(application);
			await().until(() -> rows() == 0);
		}
	}

	@Test
	void appliesNothingTwiceWhenItsDurableIsLostAfterwards() {
		applyAndPrune(Source.JETSTREAM);
		deleteDurable();
		Accounts again = new Accounts();
		try (AnnotationConfigApplicationContext application = start(again, Source.JETSTREAM, LATER)) {
			send(Source.JETSTREAM, "a", 21, 30);
			await().until(() -> this.world.version(World.ACME, "a") == 30);
			assertThat(again.calledVersions("a")).startsWith(21L).hasSize(10);
			assertThat(application.isRunning()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void readsNothingOfWhichItHasForgottenWhetherItWasApplied(Source source) {
		applyAndPrune(source);
		if (source == Source.JETSTREAM) {
			deleteDurable();
		}
		this.world.jdbc().update("delete from eventing.projector_positions");
		this.world.jdbc().update("delete from eventing.projector_checkpoints");
		Accounts again = new Accounts();
		try (AnnotationConfigApplicationContext application = start(again, source, LATER)) {
			await().untilAsserted(() -> {
				ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
				assertThat(status.state()).isEqualTo(ProjectorState.FAILED);
				assertThat(status.detail()).contains("would read events again that it may have applied",
						"projector_prunings");
			});
			assertThat(again.calls).isEmpty();
			this.world.jdbc().execute("delete from eventing.projector_prunings; delete from account");
			await().until(() -> again.calls.size() == 20);
		}
	}

	/** As docs/troubleshooting.md tells operators to. */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void goesOnWhenItsPositionIsPutBackToWhereItWas(Source source) {
		applyAndPrune(source);
		if (source == Source.JETSTREAM) {
			deleteDurable();
		}
		putAt(0);
		Accounts again = new Accounts();
		try (AnnotationConfigApplicationContext application = start(again, source, LATER)) {
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.FAILED);
			putAt(20);
			if (source == Source.JETSTREAM) {
				deleteDurable();
			}
			send(source, "a", 21, 30);
			await().until(() -> this.world.version(World.ACME, "a") == 30);
			assertThat(again.calledVersions("a")).startsWith(21L).hasSize(10);
		}
	}

	private void applyAndPrune(Source source) {
		send(source, "a", 1, 20);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), source, LATER)) {
			await().until(() -> this.world.version(World.ACME, "a") == 20);
			World.savePlace(application);
			await().until(() -> pruned(application).rows() == 20);
		}
	}

	private void putAt(long position) {
		this.world.jdbc().update("update eventing.projector_positions set floor = ?", position);
		this.world.jdbc().update("update eventing.projector_checkpoints set position = ?", position);
	}

	@Test
	void readsNothingAgainOfWhichCompetingNodesHaveForgottenWhetherItWasApplied() {
		Accounts accounts = new Accounts();
		send(Source.JETSTREAM, "a", 1, 20);
		try (AnnotationConfigApplicationContext application = this.world
			.start(application(accounts, Source.JETSTREAM, LATER, Ordering.NONE))) {
			await().until(() -> this.world.version(World.ACME, "a") == 20);
			World.savePlace(application);
			await().until(() -> pruned(application).rows() == 20);
			this.world.jdbc().update("update eventing.projector_positions set floor = 0");
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).detail())
				.contains("would read events again that it may have applied"));
			assertThat(accounts.calls).hasSize(20);
		}
	}

	@Test
	void republishesNothingOfWhichAProjectorHasForgottenWhetherItWasApplied() {
		Accounts accounts = new Accounts();
		WorldApplication application = application(accounts, Source.JETSTREAM, LATER);
		try (AnnotationConfigApplicationContext running = this.world.start(application)) {
			this.world.append(World.ACME, "a", 1, 20);
			await().until(() -> this.world.version(World.ACME, "a") == 20);
			World.savePlace(running);
			await().until(() -> pruned(running).rows() == 20);
			Relays relays = running.getBean(Relays.class);
			assertThatExceptionOfType(PrunedHistoryException.class).isThrownBy(() -> relays.republish("pruned", 1, 20))
				.withMessageContaining("does not publish position 1 again", "projector 'accounts'",
						"republishAlsoPruned");
			running.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
			assertThat(relays.republishAlsoPruned("pruned", 1, 20).published()).isEqualTo(20);
		}
	}

	@Test
	void publishesNothingThatARelayPassedOverAndAProjectorMayHaveForgotten() {
		WorldApplication application = application(new Accounts(), Source.JETSTREAM, LATER);
		try (AnnotationConfigApplicationContext running = this.world.start(application)) {
			this.world.append(World.ACME, "a", 1, 20);
			await().until(() -> this.world.version(World.ACME, "a") == 20);
			World.savePlace(running);
			await().until(() -> pruned(running).rows() == 20);
			this.world.jdbc().update("update eventing.relays set categories = '{\"\": 20}'");
			Relays relays = running.getBean(Relays.class);
			assertThatExceptionOfType(PrunedHistoryException.class).isThrownBy(() -> relays.publishPassedOver("pruned"))
				.withMessageContaining("does not publish position 1 again", "projector 'accounts'",
						"publishPassedOverAlsoPruned");
			running.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
			assertThat(relays.publishPassedOverAlsoPruned("pruned").published()).isEqualTo(20);
			assertThat(relays.acceptPassedOver("pruned")).as("nothing is left").isFalse();
		}
	}

	@Test
	void republishesWhatIsRemembered() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext running = this.world
			.start(application(accounts, Source.JETSTREAM, Duration.ZERO))) {
			this.world.append(World.ACME, "a", 1, 20);
			await().until(() -> accounts.calls.size() == 20);
			awaitPasses(running, 1);
			Relays relays = running.getBean(Relays.class);
			assertThat(relays.republish("pruned", 1, 20).published()).isEqualTo(20);
			await().until(() -> World.status(running, Accounts.PROJECTOR).counts().duplicates() == 20);
			assertThat(accounts.calls).hasSize(20);
		}
	}

	private AnnotationConfigApplicationContext start(Accounts accounts, Source source, Duration ahead) {
		return this.world.start(application(accounts, source, ahead));
	}

	private WorldApplication application(Accounts accounts, Source source, Duration ahead) {
		return application(accounts, source, ahead, Ordering.PER_KEY);
	}

	private WorldApplication application(Accounts accounts, Source source, Duration ahead, Ordering ordering) {
		return application(source, ahead, ordering, accounts);
	}

	private WorldApplication application(Source source, Duration ahead, Ordering ordering, Object... handlers) {
		InstantSource time = () -> Instant.now().plus(ahead);
		ProjectorSettings settings = ProjectorSettings.builder()
			.maxDeliver(1000)
			.retryDelay(Duration.ofMillis(50))
			.retryMultiplier(1.0)
			.source(source)
			.ordering(ordering)
			.concurrency(1)
			.build();
		return WorldApplication.of(handlers).with(settings).customize((context) -> {
			context.registerBean(Clock.class, () -> time.withZone(ZoneOffset.UTC));
			context.registerBean(PruningOptions.class,
					() -> new PruningOptions(true, RETENTION, Duration.ofMillis(200)));
			if (source == Source.JETSTREAM) {
				context.registerBean(RelayOptions.class,
						() -> RelayOptions.named("pruned").withSubjects("{category}.{tenant}.deposited"));
			}
		});
	}

	private void send(Source source, String account, long from, long to) {
		if (source == Source.EVENT_STORE) {
			this.world.append(World.ACME, account, from, to);
		}
		else {
			this.world.publish(World.ACME, account, from, to);
		}
	}

	private long rows() {
		return this.world.count("select count(*) from eventing.processed_events");
	}

	private static PruningStatus pruned(AnnotationConfigApplicationContext application) {
		List<PruningStatus> all = application.getBean(Pruner.class).status();
		assertThat(all).hasSize(1);
		return all.get(0);
	}

	private static void awaitPasses(AnnotationConfigApplicationContext application, int passes) {
		for (int pass = 0; pass < passes; pass++) {
			@Nullable Instant last = pruned(application).lastPass();
			await().until(() -> !Objects.equals(pruned(application).lastPass(), last));
		}
	}

	private long savedPlace(Source source) {
		return this.world.count("select coalesce(max(%s), 0) from eventing.%s".formatted(
				(source == Source.JETSTREAM) ? "floor" : "position",
				(source == Source.JETSTREAM) ? "projector_positions" : "projector_checkpoints"));
	}

	private void deleteDurable() {
		this.world.jetStream(
				(management) -> management.deleteConsumer(this.world.stream(), Accounts.PROJECTOR + "-consumer"));
	}

	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class First {

		final AtomicBoolean broken = new AtomicBoolean();

		/** Of those that were completed. */
		final AtomicInteger calls = new AtomicInteger();

		@ProjectorEventHandler(subject = "${root}.{tenant}.noted")
		public void on(Deposited event) {
			if (event.account().equals("broken") && this.broken.get()) {
				throw new Accounts.Refused();
			}
			this.calls.incrementAndGet();
		}

	}

	@Projector(value = Accounts.PROJECTOR, version = 2, tables = "account")
	static class Second {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Withdrawn event) {
		}

	}

}
