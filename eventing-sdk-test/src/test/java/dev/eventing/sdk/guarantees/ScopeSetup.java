package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.annotation.ReadModelRows;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.By;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A read model of which an operator has a part rebuilt. */
abstract class ScopeSetup extends RebuildSetup {

	static final TenantId GLOBEX = TenantId.of("globex");

	static final By ANNA = new By("anna", REASON);

	@BeforeEach
	void createRollUp() {
		this.world.jdbc().execute(Hourly.TABLE);
	}

	ProjectionRequest rebuild(RebuildScope scope) {
		return this.operators.rebuildScope(Accounts.PROJECTOR, new ScopedRebuild(scope), ANNA, Patience.LONG);
	}

	/** Rebuilds a part, and waits until that is done. */
	String rebuilt(RebuildScope scope) {
		return ended(rebuild(scope), Status.DONE);
	}

	/** Requests a part that cannot be rebuilt, and returns why. */
	String refused(RebuildScope scope) {
		return ended(rebuild(scope), Status.FAILED);
	}

	String ended(ProjectionRequest request, Status expected) {
		await().until(() -> !this.operators.request(request.id()).orElseThrow().state().status().isOpen());
		ProjectionRequest.State state = this.operators.request(request.id()).orElseThrow().state();
		assertThat(state.status()).as(state.detail()).isEqualTo(expected);
		return String.valueOf(state.detail());
	}

	RebuildScope.Streams streams(String... accounts) {
		return new RebuildScope.Streams(World.ACME,
				List.of(accounts).stream().map(this.world::storedStream).collect(Collectors.toSet()));
	}

	/** The rows, with what shows whether one was written again. */
	List<String> rows(String table, String condition) {
		return this.world.jdbc()
			.queryForList("select t::text || xmin || ctid from %s t where %s order by 1".formatted(table, condition),
					String.class);
	}

	long events() {
		return this.world.count("select count(*) from eventing.events");
	}

	long claims() {
		return this.world.count("select count(*) from eventing.processed_events");
	}

	void awaitClaims() {
		await().until(() -> claims() == events());
	}

	/** Declares what its rows are made of. */
	@Projector(value = Accounts.PROJECTOR, tables = "account",
			rows = @ReadModelRows(streamColumn = "account", streamPrefix = "${root}-"))
	static class Owned extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	/** Begins with what is appended after its first start. */
	@Projector(value = Accounts.PROJECTOR, tables = "account",
			rows = @ReadModelRows(streamColumn = "account", streamPrefix = "${root}-"))
	static class Since extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE,
				deliverPolicy = DeliverPolicy.NEW)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	/** Its events change rows of other accounts, too. */
	@Projector(value = Accounts.PROJECTOR, tables = "account",
			rows = @ReadModelRows(streamColumn = "account", streamPrefix = "${root}-"))
	static class Straying extends Failing {

		volatile String stray = "select 1";

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 1)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
			this.jdbc.execute(this.stray);
		}

	}

	/** It may mark its transaction so that it rolls back, and throw nothing. */
	@Projector(value = Accounts.PROJECTOR, tables = "account",
			rows = @ReadModelRows(streamColumn = "account", streamPrefix = "${root}-"))
	static class Undecided extends Failing {

		volatile boolean rollsBack;

		@Autowired
		private PlatformTransactionManager manager;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 1)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
			if (this.rollsBack) {
				new TransactionTemplate(this.manager).executeWithoutResult(TransactionStatus::setRollbackOnly);
			}
		}

	}

	/** A roll-up by the hour in which events occurred. */
	@Projector(value = Accounts.PROJECTOR, tables = "hourly",
			rows = @ReadModelRows(bucketColumn = "hour", bucketLength = "PT1H"))
	static class Hourly {

		static final String TABLE = """
				create table if not exists hourly (
				  tenant_id text, hour timestamptz, events bigint not null, total bigint not null,
				  primary key (tenant_id, hour))""";

		@Autowired
		JdbcTemplate jdbc;

		volatile String refused = "";

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 2,
				noRetryFor = IllegalArgumentException.class)
		public void on(Event<Deposited> event) {
			if (event.payload().account().equals(this.refused)) {
				throw new IllegalArgumentException("refused by the test");
			}
			this.jdbc.update("""
					insert into hourly as h values (?, date_trunc('hour', ?::timestamptz, 'UTC'), 1, ?)
					on conflict (tenant_id, hour) do update
					   set events = h.events + 1, total = h.total + excluded.total""", event.tenantId().value(),
					event.time().toString(), event.payload().amount());
		}

	}

}
