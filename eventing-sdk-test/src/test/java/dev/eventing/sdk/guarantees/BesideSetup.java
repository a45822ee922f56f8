package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A generation that an operator has built beside the live one. */
abstract class BesideSetup extends GenerationSetup {

	void build() {
		this.operators.rebuildBeside(Accounts.PROJECTOR, "anna", REASON, Patience.LONG);
	}

	void retire(int generation) {
		this.operators.retire(Accounts.PROJECTOR, generation, "anna", REASON, Patience.LONG);
		await().until(() -> status() == Status.DONE);
	}

	void requestSwitch(int generation) {
		this.operators.switchTo(Accounts.PROJECTOR, generation, "anna", REASON, Patience.LONG);
	}

	void switchTo(int generation) {
		assertThat(PatientSwitch.ask(() -> {
			requestSwitch(generation);
			await().until(() -> status() != Status.PENDING);
			return detail();
		})).startsWith("Generation " + generation + " is live from position ");
	}

	ProjectorOverview overview(String role) {
		return this.projectors.list()
			.stream()
			.filter((each) -> each.generation().role().equals(role))
			.findFirst()
			.orElseThrow();
	}

	void assertThatNothingIsLeft() {
		assertThat(this.world.count("select count(*) from pg_namespace where nspname like 'accounts%'")).isZero();
		for (String table : List.of("leases", "lease_epochs")) {
			await().until(() -> this.world
				.count("select count(*) from eventing." + table + " where lease_name like '%#%'") == 0);
		}
		for (String table : List.of("projector_checkpoints", "projector_handouts", "projector_attempts",
				"projector_coverage", "dead_letters", "processed_events")) {
			assertThat(this.world.count("select count(*) from eventing." + table + " where projector_name like '%#%'"))
				.as(table)
				.isZero();
		}
		assertThat(this.world.count("select count(*) from eventing.projection_lanes")).isZero();
	}

	/** A handler that tests can let fail. */
	abstract static class Failing {

		final Set<String> refused = ConcurrentHashMap.newKeySet();

		/** Refused where the transaction meets the tables of another generation. */
		final Set<String> refusedBeside = ConcurrentHashMap.newKeySet();

		final Set<String> unavailable = ConcurrentHashMap.newKeySet();

		/** Waits where the transaction meets the tables of another generation. */
		final Map<String, CountDownLatch> waitsBeside = new ConcurrentHashMap<>();

		/**
		 * Not available, where the transaction meets the tables of another generation,
		 * after this version.
		 */
		volatile long besideUpTo = Long.MAX_VALUE;

		@Autowired
		JdbcTemplate jdbc;

		void apply(Deposited event, String tenantId) {
			boolean isBeside = !"public".equals(this.jdbc.queryForObject("select current_schema()", String.class));
			CountDownLatch waits = isBeside ? this.waitsBeside.get(event.account()) : null;
			if (waits != null) {
				await().until(() -> waits.getCount() == 0);
			}
			if (this.refused.contains(event.account()) || (isBeside && this.refusedBeside.contains(event.account()))) {
				throw new IllegalArgumentException("refused by the test");
			}
			if (this.unavailable.contains(event.account()) || (isBeside && event.version() > this.besideUpTo)) {
				throw new IllegalStateException("not available");
			}
			World.apply(this.jdbc, event, tenantId);
		}

	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Stored extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				maxDeliver = 1000, retryDelay = 50, retryMaxDelay = 100, noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

}
