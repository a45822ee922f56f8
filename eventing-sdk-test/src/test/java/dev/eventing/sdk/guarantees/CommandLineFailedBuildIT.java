package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An operator finds out why a build has failed, and builds another. */
class CommandLineFailedBuildIT {

	@AutoClose
	private final World world = World.create();

	private final OperatorCommands commands = new OperatorCommands(this.world);

	@Test
	void saysWhyItHasFailedWhileReadersNoticeNothingAndIsRetired() throws Exception {
		this.world.jdbc().execute("create table per_tenant (tenant_id text primary key, events bigint not null)");
		this.world.append(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = start(new Forgetful())) {
			awaitApplied(3);
			assertThat(projection(8, "rebuild", "--reason", "a new column", "--watch"))
				.contains("Not done: generation 2 has failed.", "public.per_tenant");
			assertThat(projection(0, "list")).containsPattern("accounts +1 live .*\naccounts +2 failed ");
			assertThat(projection(0, "show")).contains("Generation 2 cannot go on. ", "public.per_tenant");
			assertThat(projection(0, "audit")).containsPattern("BUILD_FAILED +2 ");
			this.world.append(World.ACME, "a", 4, 4);
			awaitApplied(4);
			assertThat(projection(1, "rebuild", "--reason", "again")).contains("Retire it first.");
			projection(0, "retire", "--generation", "2", "--reason", "it has failed", "--watch");
			assertThat(application.isActive()).isTrue();
		}
		try (AnnotationConfigApplicationContext corrected = start(new Declared())) {
			await().until(() -> this.world.count("select count(*) from eventing.projector_nodes") == 1);
			assertThat(projection(0, "rebuild", "--reason", "a new column", "--watch"))
				.contains("Generation 3 is filled in the schema accounts_g3.");
			await()
				.until(() -> this.world.count("select count(*) from eventing.projections where status = 'READY'") == 1);
			assertThat(this.world.count("select events from accounts_g3.per_tenant")).isEqualTo(4);
			assertThat(this.world.count("select events from per_tenant")).isEqualTo(4);
			assertThat(corrected.isActive()).isTrue();
		}
	}

	private AnnotationConfigApplicationContext start(Object accounts) {
		return this.world.start(WorldApplication.of(accounts).lease(Duration.ofSeconds(2)));
	}

	private void awaitApplied(long version) {
		await().until(() -> this.world.version(World.ACME, "a") == version);
		// a node that reported runs the projector and takes the request
		await().until(() -> this.world.count("select count(*) from eventing.projector_nodes") > 0);
	}

	private String projection(int exit, String command, String... options) throws Exception {
		return this.commands.projection(exit, command, options);
	}

	/** Writes to a table that it does not declare. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Forgetful {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
			this.jdbc.update("""
					insert into per_tenant as p (tenant_id, events) values (?, 1)
					on conflict (tenant_id) do update set events = p.events + 1""", tenantId);
		}

	}

	/** Declares what it writes to. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations", "per_tenant" })
	static class Declared extends Forgetful {

		@Override
		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
		}

	}

}
