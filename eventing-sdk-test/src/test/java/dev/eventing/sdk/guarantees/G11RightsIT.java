package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11 where the application's role may not create schemas, and does not own the tables:
 * another role runs once what a request says, and the application continues by itself.
 */
class G11RightsIT extends BesideSetup {

	private final OperatorCommands commands = new OperatorCommands(this.world);

	@Test
	void aRoleThatGetsTheRightsOnceBuildsSwitchesToAndFroAndRetires() throws Exception {
		appendAll(1, 5);
		try (LimitedRole role = new LimitedRole(this.world);
				AnnotationConfigApplicationContext application = start(role)) {
			awaitVersions(5);
			build();
			awaitNeeds(role);
			assertThat(ddl()).startsWith("create schema accounts_g2 authorization " + role.name())
				.containsSubsequence("create schema accounts_g1 authorization " + role.name(),
						"grant create on schema public to " + role.name(),
						"alter table public.account owner to " + role.name(),
						"alter table public.violations owner to " + role.name());
			assertThat(this.commands.projection(0, "show")).contains("NEEDS_DDL", String.join(";\n", ddl()) + ";\n");
			run();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			switchTo(2);
			appendAll(6, 7);
			awaitVersions(7);
			switchTo(1);
			switchTo(2);
			awaitVersions(7);
			retire(1);
			appendAll(8, 9);
			awaitVersions(9);
			assertThatTheReadModelIsExact(9);
			assertThat(schemas()).as("the live tables go there at the next switch").containsExactly("accounts_g2");
			assertThat(mayCreateSchemas(role)).isFalse();
			build();
			awaitNeeds(role);
			assertThat(ddl()).startsWith("create schema accounts_g3 authorization " + role.name())
				.allMatch((statement) -> statement.contains("accounts_g3"));
		}
	}

	@Test
	void aRoleThatGetsTheRightsOnceMovesItsTablesAndGoesOnUntilThen() throws Exception {
		this.world.jdbc()
			.execute("do $$ begin execute format('alter database %I set search_path = ledger, public', "
					+ "current_database()); end $$");
		((HikariDataSource) this.world.jdbc().getDataSource()).getHikariPoolMXBean().softEvictConnections();
		appendAll(1, 5);
		try (LimitedRole role = new LimitedRole(this.world);
				AnnotationConfigApplicationContext application = start(role)) {
			awaitVersions(5);
			this.operators.adopt(Accounts.PROJECTOR, "ledger", "anna", REASON, Patience.LONG);
			awaitNeeds(role);
			assertThat(ddl()).startsWith("create schema ledger authorization " + role.name())
				.contains("alter table public.account owner to " + role.name())
				.noneMatch((statement) -> statement.contains("grant create"));
			appendAll(6, 7);
			awaitVersions(7);
			run();
			await().until(() -> status() == Status.DONE);
			assertThat(detail()).startsWith("The live tables lie in the schema ledger now, not in public.");
			appendAll(8, 8);
			awaitVersions("ledger", 8);
			build();
			awaitNeeds(role);
			assertThat(ddl()).noneMatch((statement) -> statement.contains("grant create"));
			run();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			switchTo(2);
			appendAll(9, 9);
			awaitVersions("ledger", 9);
			assertThatTheReadModelIsExact("ledger", 9);
			assertThat(mayCreateSchemas(role)).isFalse();
		}
	}

	/** Another role has built the generation. */
	@Test
	void aSwitchAndARetirementWaitForRightsWhileBothGenerationsAreFed() throws Exception {
		appendAll(1, 5);
		try (LimitedRole role = new LimitedRole(this.world)) {
			try (AnnotationConfigApplicationContext application = start(new StoredAccounts())) {
				awaitVersions(5);
				build();
				awaitStatus(2, ProjectionGeneration.Status.READY);
				assertThat(this.operators.ddl(Accounts.PROJECTOR)).isEmpty();
			}
			try (AnnotationConfigApplicationContext application = start(role)) {
				this.operators.retire(Accounts.PROJECTOR, 2, "anna", REASON, Patience.LONG);
				awaitNeeds(role);
				assertThat(ddl()).containsExactly("alter schema accounts_g2 owner to " + role.name());
				assertThat(this.commands.projection(0, "cancel", "--reason", "not yet", "--dry-run"))
					.contains("Would cancel the request");
				assertThat(this.commands.projection(0, "cancel", "--reason", "not yet")).contains("is cancelled");
				requestSwitch(2);
				awaitNeeds(role);
				assertThat(ddl()).contains("create schema accounts_g1 authorization " + role.name(),
						"alter schema accounts_g2 owner to " + role.name(),
						"alter table accounts_g2.account owner to " + role.name(),
						"alter table public.account owner to " + role.name());
				appendAll(6, 7);
				awaitVersions(7);
				awaitVersions("accounts_g2", 7);
				run();
				await().until(() -> status() == Status.DONE);
				retire(1);
				assertThatTheReadModelIsExact(7);
				assertThat(schemas()).containsExactly("accounts_g2");
			}
		}
	}

	private AnnotationConfigApplicationContext start(LimitedRole role) {
		return this.world.start(role.of(WorldApplication.of(new StoredAccounts()).lease(Duration.ofSeconds(2))));
	}

	private void awaitNeeds(LimitedRole role) {
		await().until(() -> status() == Status.NEEDS_DDL);
		assertThat(detail()).startsWith("Role '" + role.name() + "' lacks rights for it.");
	}

	private List<String> ddl() {
		return this.operators.ddl(Accounts.PROJECTOR);
	}

	/** As the command line's user, who says yes. */
	private void run() throws Exception {
		List<String> statements = ddl();
		assertThat(this.commands.projection(6, "ddl", "--run")).contains(statements.get(0) + ";\n")
			.contains("Consider --yes");
		assertThat(ddl()).isEqualTo(statements);
		assertThat(this.commands.projection(0, "ddl", "--run", "--yes")).startsWith(String.join(";\n", statements))
			.contains("Done for projector 'accounts'.");
		assertThat(this.commands.projection(0, "ddl")).contains("No request for projector 'accounts' needs rights.");
		assertThat(this.commands.projection(0, "audit")).containsPattern("DDL_RUN .* anna ");
	}

	private List<String> schemas() {
		return this.world.jdbc()
			.queryForList("select nspname from pg_namespace where nspname like 'accounts%'", String.class);
	}

	private boolean mayCreateSchemas(LimitedRole role) {
		return Boolean.TRUE.equals(this.world.jdbc()
			.queryForObject("select has_database_privilege(?, current_database(), 'CREATE')", Boolean.class,
					role.name()));
	}

}
