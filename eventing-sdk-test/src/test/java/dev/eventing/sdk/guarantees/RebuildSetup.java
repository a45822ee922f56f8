package dev.eventing.sdk.guarantees;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.annotation.ProjectionReset;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.awaitility.Awaitility.await;

/** A read model that an operator has rebuilt in place. */
abstract class RebuildSetup extends GenerationSetup {

	ProjectionRequest rebuild() {
		return this.operators.rebuildInPlace(Accounts.PROJECTOR, "anna", REASON, Patience.LONG);
	}

	static ProjectorState state(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).state();
	}

	void awaitRebuilt(int generation) {
		await().until(() -> this.operators.generations(Accounts.PROJECTOR)
			.stream()
			.anyMatch((each) -> each.generation() == generation && each.status() == ProjectionGeneration.Status.LIVE));
	}

	void append(String account, long from, long to) {
		this.world.append(World.ACME, account, from, to);
	}

	long openLetters() {
		return this.world.count("select count(*) from eventing.dead_letters where status in ('PARKED', 'REDRIVING')");
	}

	/** A handler that tests can let fail. */
	abstract static class Failing {

		private static void failAfterCommit() {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					throw new IllegalArgumentException("after the commit");
				}

			});
		}

		final Set<String> refused = ConcurrentHashMap.newKeySet();

		final Set<String> unavailable = ConcurrentHashMap.newKeySet();

		volatile CountDownLatch wait = new CountDownLatch(0);

		final Map<String, CountDownLatch> slow = new ConcurrentHashMap<>();

		volatile boolean failAfterCommit;

		volatile boolean interrupted;

		@Autowired
		JdbcTemplate jdbc;

		void apply(Deposited event, String tenantId) {
			try {
				this.wait.await();
				this.slow.getOrDefault(event.account(), this.wait).await();
			}
			catch (InterruptedException ex) {
				this.interrupted = true;
				throw new IllegalStateException(ex);
			}
			World.apply(this.jdbc, event, tenantId);
			if (this.failAfterCommit && event.version() % 5 == 0) {
				failAfterCommit();
			}
			if (this.refused.contains(event.account())) {
				throw new IllegalArgumentException("refused by the test");
			}
			if (this.unavailable.contains(event.account())) {
				throw new IllegalStateException("not available");
			}
		}

	}

	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Elsewhere extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.withdrawn", source = Source.EVENT_STORE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class OneLane extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 1,
				noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Stored extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				maxDeliver = 1000, retryDelay = 50, retryMaxDelay = 100, noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	@Projector(Accounts.PROJECTOR)
	static class Undeclared extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	@Projector(Accounts.PROJECTOR)
	static class Resetting extends Failing {

		volatile boolean broken;

		volatile CountDownLatch held = new CountDownLatch(0);

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 2)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

		@ProjectionReset
		public void reset() throws InterruptedException {
			this.held.await();
			this.jdbc.update("delete from account");
			if (this.broken) {
				throw new IllegalArgumentException("refused by the test");
			}
		}

	}

}
