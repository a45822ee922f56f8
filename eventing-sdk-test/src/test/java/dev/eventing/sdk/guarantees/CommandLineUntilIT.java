package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An operator looks at the read model of a running application as it was. */
class CommandLineUntilIT {

	@AutoClose
	private final World world = World.create();

	private final OperatorCommands commands = new OperatorCommands(this.world);

	@Test
	void showsTheReadModelOfYesterdayAndRetiresIt() throws Exception {
		this.world.append(World.ACME, "a", 1, 3);
		this.world.append(World.ACME, "b", 1, 1);
		this.world.jdbc().update("update eventing.events set recorded_at = recorded_at - interval '2 days'");
		String midnight = Instant.now().truncatedTo(ChronoUnit.DAYS).toString();
		this.world.append(World.ACME, "a", 4, 5);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new StoredAccounts()).lease(Duration.ofSeconds(2)))) {
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			// a node reports what it runs beside what it applies
			await().until(() -> this.world.count("select count(*) from eventing.projector_nodes") == 1);
			assertThat(
					this.commands.projection(0, "rebuild", "--until", midnight, "--reason", "a complaint", "--dry-run"))
				.startsWith(
						"Would build a new generation of the read model of projector 'accounts' beside the live one,"
								+ " as it was at " + midnight + ".");
			assertThat(
					this.commands.projection(0, "rebuild", "--until", midnight, "--reason", "a complaint", "--watch"))
				.contains(
						"Done for projector 'accounts'. Generation 2 is filled in the schema accounts_g2 up to position"
								+ " 4: the events that were recorded until " + midnight + ".");
			await()
				.until(() -> this.world.count("select count(*) from eventing.projections where status = 'PAST'") == 1);
			assertThat(this.commands.projection(0, "list"))
				.containsPattern("accounts +2 past +1 +STOPPED +4 +accounts_g2 ");
			assertThat(this.commands.projection(0, "show")).containsPattern("2 +1 +PAST +4 ");
			assertThat(this.commands.projection(9, "diff")).contains("shows the read model as it was at position 4");
			assertThat(this.commands.projection(1, "switch", "--generation", "2", "--reason", "it was right"))
				.contains("is never switched to");
			assertThat(this.world.jdbc().queryForList("""
					select account, past.version as then, now.version as now
					  from accounts_g2.account past full join account now using (tenant_id, account)
					 where past is distinct from now""")).singleElement()
				.satisfies((row) -> assertThat(row).containsEntry("account", "a")
					.containsEntry("then", 3L)
					.containsEntry("now", 5L));
			this.commands.projection(0, "retire", "--generation", "2", "--reason", "answered", "--watch");
			this.commands.projection(0, "audit");
			assertThat(this.world.count("select count(*) from pg_namespace where nspname like 'accounts%'")).isZero();
		}
	}

}
