package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** An inline projector in the life of its read model, and of its nodes. */
class G12GenerationsIT extends InlineSetup {

	@Test
	void hasAllEventsAfterASwitchAndARollBackWhileAppendsGoOn() {
		AnnotationConfigApplicationContext node = startInline(new Switched());
		AtomicLong version = new AtomicLong();
		AtomicBoolean ended = new AtomicBoolean();
		CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
			while (!ended.get()) {
				append(node, "a", version.get() + 1, version.get() + 1);
				version.incrementAndGet();
			}
		});
		this.operators.rebuildBeside(Accounts.PROJECTOR, "anna", REASON, Patience.LONG);
		awaitStatus(2, ProjectionGeneration.Status.READY);
		assertThat(inlineStatus()).isEqualTo(InlineStatus.INLINE);
		for (int generation : List.of(2, 1)) {
			this.operators.switchTo(Accounts.PROJECTOR, generation, "anna", REASON, Patience.LONG);
			await().until(() -> status() != ProjectionRequest.Status.PENDING);
			assertThat(status()).as(detail()).isEqualTo(ProjectionRequest.Status.DONE);
			awaitStatus(InlineStatus.INLINE);
			long before = version.get();
			await().until(() -> version.get() > before + 20);
		}
		ended.set(true);
		writer.join();
		assertThat(version("a")).isEqualTo(version.get());
		assertThatTheReadModelHasAllEvents();
		await().until(
				() -> this.world.count("select coalesce(max(version), 0) from accounts_g2.account") == version.get());
		assertThat(this.world.jdbc().queryForList("select * from accounts_g2.violations")).isEmpty();
	}

	@Test
	void isSkippedWhileItIsPausedAndHasAllEventsAfterwards() {
		AnnotationConfigApplicationContext node = startInline(new Inline());
		append(node, "a", 1, 3);
		this.projectors.pause(Accounts.PROJECTOR, "anna", "a test");
		await().until(() -> World.status(node, Accounts.PROJECTOR).state() == ProjectorState.PAUSED);
		append(node, "a", 4, 8);
		append(node, "b", 1, 2);
		assertThat(version("a")).isEqualTo(3);
		assertThat(inlineStatus()).isEqualTo(InlineStatus.DIVERGED);
		this.projectors.resume(Accounts.PROJECTOR, "anna", null);
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void isExactWhileNodesWithOtherHandlersTakeOver() {
		AnnotationConfigApplicationContext before = startInline(new Inline());
		append(before, "a", 1, 3);
		AnnotationConfigApplicationContext after = standby(new Wider());
		append(after, "a", 4, 6);
		append(before, "a", 7, 8);
		awaitStatus(InlineStatus.INLINE);
		assertThat(version("a")).isEqualTo(8);
		long turn = this.ledger.find().orElseThrow().turn();
		before.close();
		await().until(() -> this.ledger.find().filter((row) -> row.isInline() && row.turn() > turn).isPresent());
		append(after, "a", 9, 12);
		assertThat(version("a")).isEqualTo(12);
		assertThatTheReadModelHasAllEvents();
	}

	/** Narrow code reads what appends of wider code have applied, and skips its own. */
	@Test
	void appliesOnceWhatAppendsOfWiderCodeApplied() {
		createWithdrawals();
		AnnotationConfigApplicationContext wide = startInline(new Both());
		wide.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		withdraw(wide, "a");
		assertThat(withdrawals()).as("in the append, without an owner").containsExactly("a");
		long turn = turn();
		AnnotationConfigApplicationContext narrow = start(new Inline());
		awaitTurnAfter(turn);
		withdraw(narrow, "b");
		await().untilAsserted(() -> assertThat(this.world.checkpoint(Accounts.PROJECTOR))
			.isGreaterThanOrEqualTo(this.world.count("select max(global_position) from eventing.events")));
		assertThat(withdrawals()).containsExactly("a");
		long next = turn();
		narrow.close();
		wide.getBean(ProjectorRegistry.class).start(Accounts.PROJECTOR);
		awaitTurnAfter(next);
		await().untilAsserted(() -> assertThat(withdrawals()).containsExactly("a", "b"));
		withdraw(wide, "c");
		assertThat(withdrawals()).containsExactly("a", "b", "c");
	}

	/**
	 * No owner of the narrow code has read the event, so nothing shows that it skips it.
	 */
	@Test
	void appliesWhatAppendsOfNarrowCodePassedOver() {
		createWithdrawals();
		AnnotationConfigApplicationContext narrow = startInline(new Inline());
		narrow.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		append(narrow, "x", 1, 3);
		withdraw(narrow, "a");
		long turn = turn();
		AnnotationConfigApplicationContext wide = start(new Both());
		awaitTurnAfter(turn);
		await().untilAsserted(() -> assertThat(withdrawals()).containsExactly("a"));
		withdraw(wide, "b");
		assertThat(withdrawals()).containsExactly("a", "b");
		assertThat(version("x")).isEqualTo(3);
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
	}

	private void createWithdrawals() {
		this.world.jdbc().execute("create table withdrawal (account text not null)");
	}

	private List<String> withdrawals() {
		return this.world.jdbc().queryForList("select account from withdrawal order by account", String.class);
	}

	private void withdraw(AnnotationConfigApplicationContext node, String account) {
		in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> store.append(World.ACME,
				this.world.storedStream("withdrawals"), ExpectedVersion.any(), NewEvent.of(new Withdrawn(account))));
	}

	private long turn() {
		return this.ledger.find().orElseThrow().turn();
	}

	private void awaitTurnAfter(long turn) {
		await().until(() -> this.ledger.find().filter((row) -> row.isInline() && row.turn() > turn).isPresent());
	}

	@Test
	void tellsAListenerWhatWasCommittedAndNothingElse() {
		List<Long> committed = new CopyOnWriteArrayList<>();
		AnnotationConfigApplicationContext node = this.world.start(WorldApplication.of(new Inline())
			.lease(Duration.ofSeconds(2))
			.customize((context) -> context.registerBean("listening", ListeningEndpoints.class,
					() -> new ListeningEndpoints(context, (projector, events) -> events
						.forEach((event) -> committed.add(((Deposited) event.payload()).version()))))));
		awaitStatus(InlineStatus.INLINE);
		in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> {
			append(store, "a", 1);
			TransactionTemplate nested = new TransactionTemplate(node.getBean(PlatformTransactionManager.class));
			nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
			nested.executeWithoutResult((status) -> {
				append(node.getBean(EventStore.class), "a", 2);
				status.setRollbackOnly();
			});
			append(store, "b", 1);
			assertThat(committed).isEmpty();
			return true;
		});
		assertThat(committed).containsExactly(1L, 1L);
		assertThat(version("a")).isEqualTo(1);
		assertThatExceptionOfType(UnexpectedRollbackException.class)
			.isThrownBy(() -> in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> {
				append(store, "a", 2);
				new TransactionTemplate(node.getBean(PlatformTransactionManager.class))
					.executeWithoutResult(TransactionExecution::setRollbackOnly);
				return true;
			}));
		assertThat(committed).hasSize(2);
	}

	/** It has generations. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Switched extends RebuildSetup.Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE, concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	/** It handles more events of the subject of {@link Inline}. */
	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Both extends RebuildSetup.Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE, concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE, concurrency = 3)
		public void on(Withdrawn event) {
			this.jdbc.update("insert into withdrawal (account) values (?)", event.account());
		}

	}

	/** It handles more than {@link Inline}. */
	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Wider extends RebuildSetup.Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE, concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.withdrawn", source = Source.INLINE, concurrency = 3)
		public void on(Withdrawn event) {
			throw new IllegalStateException("there is no such event");
		}

	}

}
