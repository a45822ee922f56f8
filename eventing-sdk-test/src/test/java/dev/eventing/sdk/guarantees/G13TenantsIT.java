package dev.eventing.sdk.guarantees;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.projector.Tenancy;
import dev.eventing.sdk.store.AppendGuard;
import dev.eventing.sdk.store.AppendListener;
import dev.eventing.sdk.store.AppendedEvents;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.PendingAppend;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G13 where each transaction has one tenant, and row level security binds the role of the
 * application: effects are stored and appended under the tenant of their event.
 */
class G13TenantsIT extends EffectSetup {

	private static final List<TenantId> TENANTS = List.of(World.ACME, TenantId.of("globex"));

	@Test
	void areStoredAndAppendedUnderTheTenantOfTheirEvent() {
		try (LimitedRole role = new LimitedRole(this.world)) {
			createTables(role);
			TENANTS.forEach((tenant) -> this.world.append(tenant, "refused-" + tenant, 1, 2));
			TENANTS.forEach((tenant) -> this.world.append(tenant, "good-" + tenant, 1, 2));
			try (AnnotationConfigApplicationContext former = start(role, new First())) {
				awaitOpen(LIVE, 4);
				TENANTS.forEach((tenant) -> awaitNotices("good-" + tenant, 4));
			}
			try (AnnotationConfigApplicationContext both = start(role, new First(), new Second())) {
				this.generations.build();
				assertThat(this.world.jdbc()
					.queryForList("select distinct state || tenant_id from eventing.projection_effects order by 1",
							String.class))
					.containsExactly("STOREDacme", "STOREDglobex");
				this.generations.switchTo(2);
				awaitEachEffectOnce();
				await().until(() -> states().isEmpty());
				TENANTS.forEach((tenant) -> this.world.append(tenant, "good-" + tenant, 3, 3));
				awaitEachEffectOnce();
			}
			assertThatNothingIsOfAnotherTenant();
		}
	}

	/**
	 * Such as a time limit that a listener exceeds, which counts as a failure that
	 * passes.
	 */
	@Test
	void ofOneTenantThatFailsForNowAreShownAndHoldUpNoOther() {
		try (LimitedRole role = new LimitedRole(this.world)) {
			createTables(role);
			TENANTS.forEach((tenant) -> this.world.append(tenant, "refused-" + tenant, 1, 2));
			try (AnnotationConfigApplicationContext former = start(role, new First())) {
				awaitOpen(LIVE, 4);
			}
			Slow slow = new Slow(World.ACME);
			try (AnnotationConfigApplicationContext both = start(role, slow, new First(), new Second())) {
				this.generations.build();
				this.generations.switchTo(2);
				awaitNotices("refused-globex", 4);
				await().until(() -> isShown(both));
				await().during(Duration.ofSeconds(3)).until(() -> isShown(both));
				assertThat(notices("refused-acme")).isZero();
				slow.ended = true;
				awaitEachEffectOnce();
				await().until(() -> World.status(both, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			}
		}
	}

	private static boolean isShown(AnnotationConfigApplicationContext application) {
		ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
		return status.state() != ProjectorState.RUNNING && status.detail().contains("accounts-effects")
				&& status.detail().contains("of tenant 'acme'");
	}

	/** The account has the tenant in its name. */
	private void assertThatNothingIsOfAnotherTenant() {
		assertThat(this.world.jdbc().queryForList("""
				select * from eventing.events
				 where payload ->> 'account' not like '%-' || tenant_id or stream_id not like '%-' || tenant_id"""))
			.isEmpty();
		assertThat(this.world.jdbc().queryForList("""
				select event_id, tenant_id from eventing.events where event_type = 'Noticed'
				except select event_id, tenant from appended""")).as("seen by the listener").isEmpty();
		assertThat(this.world.count("select count(*) from appended a where not exists (select from eventing.events e"
				+ " where e.event_id = a.event_id and e.tenant_id = a.tenant)"))
			.isZero();
		assertThat(this.world.jdbc()
			.queryForList("select tenant || ': ' || account from balance order by 1", String.class))
			.containsExactly("acme: good-acme", "acme: refused-acme", "globex: good-globex", "globex: refused-globex");
	}

	/** Nobody names a tenant who writes there. */
	private void createTables(LimitedRole role) {
		this.world.jdbc()
			.execute("""
					create table balance (
					  tenant text not null default current_setting('app.tenant'), account text, total bigint not null,
					  primary key (tenant, account));
					create table appended (tenant text not null default current_setting('app.tenant'), event_id uuid);
					alter table balance enable row level security;
					alter table balance force row level security;
					alter table appended enable row level security;
					create policy of_tenant on balance using (tenant = current_setting('app.tenant', true));
					create policy of_tenant on appended using (tenant = current_setting('app.tenant', true));
					alter table balance owner to %1$s;
					grant all on appended to %1$s;
					grant create, usage on schema public to %1$s;
					do $$ begin execute format('grant create on database %%I to %1$s', current_database()); end $$"""
				.formatted(role.name()));
	}

	private AnnotationConfigApplicationContext start(LimitedRole role, Object... handlers) {
		return this.world.start(application(role, handlers));
	}

	private AnnotationConfigApplicationContext start(LimitedRole role, Slow slow, Object... handlers) {
		return this.world
			.start(application(role, handlers).customize((context) -> context.registerBean(Slow.class, () -> slow)));
	}

	private static WorldApplication application(LimitedRole role, Object... handlers) {
		return role.of(WorldApplication.of(handlers))
			.customize((context) -> context.registerBean(G8RowLevelSecurityIT.SessionTenant.class))
			.customize((context) -> context.registerBean(Noting.class));
	}

	/** Takes part in appends, and writes for the tenant of the transaction. */
	static class Noting implements AppendListener {

		private final JdbcTemplate jdbc;

		Noting(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Override
		public String name() {
			return "noting";
		}

		@Override
		public @Nullable AppendGuard beforeAppend(PendingAppend append) {
			return AppendGuard.NONE;
		}

		@Override
		public void appended(AppendedEvents append, @Nullable String guard) {
			append.events()
				.forEach((each) -> this.jdbc.update("insert into appended (event_id) values (?)", each.event().id()));
		}

	}

	/** Takes too long for one tenant. */
	static final class Slow implements AppendListener {

		private final TenantId tenant;

		volatile boolean ended;

		Slow(TenantId tenant) {
			this.tenant = tenant;
		}

		@Override
		public String name() {
			return "slow";
		}

		@Override
		public @Nullable AppendGuard beforeAppend(PendingAppend append) {
			return AppendGuard.NONE;
		}

		@Override
		public void appended(AppendedEvents append, @Nullable String guard) {
			if (!this.ended && append.tenantId().equals(this.tenant)) {
				throw new QueryTimeoutException("too slow", new SQLException("cancelled by the test", "57014"));
			}
		}

	}

	/** Adds up deposits, and names no tenant. */
	abstract static class Balances {

		@Autowired
		JdbcTemplate jdbc;

		void apply(Deposited event, Effects effects) {
			for (int n = 1; n <= 2; n++) {
				effects.append("notices-" + n + "-" + event.account(),
						NewEvent.of(new Noticed(event.account(), event.version(), n)));
			}
			this.jdbc.update("""
					insert into balance as b (account, total) values (?, ?)
					on conflict (tenant, account) do update set total = b.total + excluded.total""", event.account(),
					event.amount());
		}

	}

	@Projector(value = Accounts.PROJECTOR, tables = "balance")
	static class First extends Balances {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 2,
				tenancy = Tenancy.PER_TRANSACTION, noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, Effects effects) {
			if (event.account().startsWith("refused")) {
				throw new IllegalArgumentException("refused by the test");
			}
			apply(event, effects);
		}

	}

	@Projector(value = Accounts.PROJECTOR, version = 2, tables = "balance")
	static class Second extends Balances {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 2,
				tenancy = Tenancy.PER_TRANSACTION)
		public void on(Deposited event, Effects effects) {
			apply(event, effects);
		}

	}

}
