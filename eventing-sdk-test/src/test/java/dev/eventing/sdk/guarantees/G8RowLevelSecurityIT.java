package dev.eventing.sdk.guarantees;

import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Tenancy;
import dev.eventing.sdk.projector.TenantTransactionListener;
import dev.eventing.sdk.schema.SchemaMode;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G8: a variable of the session that row level security reads is the tenant of the events
 * in each transaction.
 */
@ExtendWith(OutputCaptureExtension.class)
class G8RowLevelSecurityIT {

	private static final TenantId GLOBEX = TenantId.of("globex");

	@AutoClose
	private final World world = World.create();

	/** A superuser would pass over all policies, so the application is another user. */
	private final String user = "app_" + UUID.randomUUID().toString().substring(0, 8);

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("""
				create table balance (
				  tenant text not null default current_setting('app.tenant'), account text, total bigint not null,
				  primary key (tenant, account));
				alter table balance enable row level security;
				create policy of_tenant on balance using (tenant = current_setting('app.tenant', true));
				create role %1$s login;
				grant usage on schema eventing, public to %1$s;
				grant select, insert, update, delete on all tables in schema eventing, public to %1$s;
				grant usage, select on all sequences in schema eventing to %1$s""".formatted(this.user));
	}

	@Test
	void handlersMeetTheRowsOfTheirTenantOnly() {
		for (long version = 1; version <= 20; version++) {
			this.world.publish(World.ACME, "a", version, version);
			this.world.publish(GLOBEX, "a", version, version);
		}
		try (AnnotationConfigApplicationContext application = start()) {
			await().until(() -> World.status(application, "balances").counts().processed() == 40);
			assertThat(this.world.jdbc().queryForList("select total from balance order by tenant", Long.class))
				.containsExactly(210L, 210L);
			assertThat(World.status(application, "balances").counts().failedAttempts()).isZero();
			assertThat(application.getBean(JdbcTemplate.class).queryForList("select * from balance"))
				.as("the application's own threads have no tenant")
				.isEmpty();
		}
		assertThat(CurrentTenant.find()).isEmpty();
	}

	/** Its exception concerns the events of that tenant, and others continue. */
	@Test
	void aListenerThatRefusesATenantMakesDeadLettersOfItsEventsOnly() {
		this.world.publish(TenantId.of("unknown"), "a", 1, 3);
		this.world.publish(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			await().until(() -> World.status(application, "balances").counts().processed() == 3);
			await().until(() -> this.world.deadLetters("balances").size() == 3);
			assertThat(this.world.deadLetters("balances"))
				.allSatisfy((letter) -> assertThat(letter.tenantId()).isEqualTo(TenantId.of("unknown")));
			assertThat(this.world.count("select count(*) from balance where tenant <> 'acme'")).isZero();
		}
	}

	/** Nothing fails then, but the policies do not apply. */
	@ParameterizedTest
	@CsvSource({ "superuser, is a superuser", "bypassrls, has BYPASSRLS", "login, has the rights of their owner" })
	void saysAtTheStartThatNoPolicyAppliesToTheRole(String attribute, String why, CapturedOutput output) {
		this.world.jdbc().execute("alter role %s %s".formatted(this.user, attribute));
		if (attribute.equals("login")) {
			this.world.jdbc().execute("alter table balance owner to " + this.user);
		}
		start().close();
		assertThat(output).containsOnlyOnce("Row level security of public.balance does not apply to role '" + this.user
				+ "', which " + why + ". So handlers meet the rows of all tenants, although each transaction has one.");
	}

	@Test
	void saysNothingIfThePoliciesApplyToTheOwnerToo(CapturedOutput output) {
		this.world.jdbc()
			.execute("alter table balance owner to %s; alter table balance force row level security"
				.formatted(this.user));
		start().close();
		assertThat(output).doesNotContain("Row level security of");
	}

	private AnnotationConfigApplicationContext start() {
		ProjectorSettings settings = ProjectorSettings.builder()
			.tenancy(Tenancy.PER_TRANSACTION)
			.maxDeliver(1)
			.concurrency(1)
			.build();
		return this.world.start(WorldApplication.of(new Balances())
			.with(settings)
			.schema(SchemaMode.VALIDATE)
			.customize((context) -> context.registerBean(SessionTenant.class))
			.customize(WorldApplication.pool((pool) -> {
				pool.setJdbcUrl(pool.getJdbcUrl().replace("user=postgres", "user=" + this.user));
				pool.setUsername(this.user);
			})));
	}

	/** Adds up deposits, and names no tenant. */
	static class Balances {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "balances")
		public void on(Deposited event) {
			int updated = this.jdbc.update("update balance set total = total + ? where account = ?", event.amount(),
					event.account());
			if (updated == 0) {
				this.jdbc.update("insert into balance (account, total) values (?, ?)", event.account(), event.amount());
			}
		}

	}

	/** Sets what the policy reads, until the transaction ends. */
	static class SessionTenant implements TenantTransactionListener {

		private final JdbcTemplate jdbc;

		SessionTenant(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Override
		public void afterBegin(TenantId tenant) {
			if (tenant.value().equals("unknown")) {
				throw new IllegalArgumentException("There is no such tenant.");
			}
			this.jdbc.queryForList("select set_config('app.tenant', ?, true)", tenant.value());
		}

	}

}
