package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Map;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.By;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ProjectionRequest.What;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.SwitchOptions;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: what a switch would take from readers is refused by name, and nothing is held up
 * for long.
 */
class G11ObstaclesIT {

	private static final By ANNA = new By("anna", "a column is new");

	@RegisterExtension
	final Fixture fixture = new Fixture();

	/** With prepared transactions. */
	private final PostgresServer postgres = this.fixture
		.opened(PostgresServer.start(Map.of("max_prepared_transactions", "5")));

	private final World world = this.fixture.opened(World.on(TestServers.nats(), this.postgres));

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@Test
	void namesPreparedTransactionsAndSnapshotsThatAreOlder() {
		append(1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			build();
			this.world.jdbc()
				.execute("begin; insert into violations values ('x', 'x', 1, 1); prepare transaction 'nightly'");
			assertThat(failedSwitch(2)).startsWith(
					"Readers may see less than they saw: old snapshots are held by prepared transaction 'nightly' since ");
			this.world.jdbc().execute("rollback prepared 'nightly'");
			this.world.jdbc().queryForList("select pg_create_physical_replication_slot('copy', true)");
			switchTo(2, SwitchOptions.STRICT);
			append(4, 4);
			await().until(() -> this.world.version(World.ACME, "a") == 4);
		}
	}

	@Test
	void refusesWhatTheLiveTablesGotSinceTheCopyWasMade() {
		append(1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			build();
			this.world.jdbc().execute("create index by_total on account (total); grant select on account to public");
			String differ = "The tables of generation 2 are not as the live ones are: grant of SELECT to public of "
					+ "table 'account'; index by_total of table 'account'. Retire the generation, and build another.";
			assertThat(this.operators.plan(Accounts.PROJECTOR, What.switchTo(2, SwitchOptions.STRICT)).obstacles())
				.containsExactly(differ);
			assertThat(failedSwitch(2)).isEqualTo(differ);
			this.world.jdbc()
				.execute(
						"create index by_total on accounts_g2.account (total); grant select on accounts_g2.account to public");
			switchTo(2, SwitchOptions.STRICT);
			assertThat(this.world.count("select reltuples::bigint from pg_class where oid = 'account'::regclass"))
				.as("rows that the planner knows of")
				.isEqualTo(1);
		}
	}

	@Test
	void losesColumnsOnlyWhereThatIsAcceptedAndSoDoesARollBack() {
		append(1, 3);
		try (AnnotationConfigApplicationContext application = start()) {
			build();
			this.world.jdbc().execute("alter table account add column note text not null default 'x'");
			String lost = "column 'note' of table 'account' is missing";
			assertThat(this.operators.lostColumns(Accounts.PROJECTOR, 2)).containsExactly(lost);
			assertThat(failedSwitch(2)).isEqualTo("Readers would lose columns: in generation 2 " + lost
					+ ". Consider --accept-lost-columns if no reader needs them.");
			this.world.jdbc().execute("alter table accounts_g2.account add column added text default 'y'");
			What accepting = What.switchTo(2, SwitchOptions.STRICT.acceptingLostColumns());
			assertThat(this.operators.plan(Accounts.PROJECTOR, accepting).notes())
				.containsExactly("Readers would lose a column: in generation 2 " + lost + ".");
			switchTo(2, SwitchOptions.STRICT.acceptingLostColumns());
			assertThat(new JdbcProjectors(this.world.jdbc().getDataSource(), EventingSchema.defaults())
				.audit(Accounts.PROJECTOR)).extracting(ProjectionAuditEntry::detail)
				.contains("lost columns are accepted");
			assertThat(failedSwitch(1)).startsWith("Readers would lose columns: in generation 1 column 'added'");
			this.world.jdbc().execute("alter table accounts_g1.account add column added text default 'y'");
			switchTo(1, SwitchOptions.STRICT);
			append(4, 4);
			await().until(() -> this.world.version(World.ACME, "a") == 4);
			assertThat(this.world.jdbc().queryForObject("select note || added from account", String.class))
				.isEqualTo("xy");
		}
	}

	private AnnotationConfigApplicationContext start() {
		AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new StoredAccounts()).lease(Duration.ofSeconds(2)));
		await().until(() -> this.world.version(World.ACME, "a") == 3);
		return application;
	}

	private void append(long from, long to) {
		this.world.append(World.ACME, "a", from, to);
	}

	private void build() {
		this.operators.rebuildBeside(Accounts.PROJECTOR, "anna", "a test", Patience.LONG);
		await().until(() -> this.operators.generations(Accounts.PROJECTOR)
			.stream()
			.anyMatch((each) -> each.status() == ProjectionGeneration.Status.READY));
	}

	private void switchTo(int generation, SwitchOptions options) {
		assertThat(request(generation, options)).startsWith("Generation " + generation + " is live from position ")
			.endsWith(" The tables moved between the schemas.");
	}

	private String failedSwitch(int generation) {
		String detail = request(generation, SwitchOptions.STRICT);
		assertThat(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().status()).as(detail)
			.isEqualTo(Status.FAILED);
		return detail;
	}

	private String request(int generation, SwitchOptions options) {
		this.operators.switchTo(Accounts.PROJECTOR, generation, options, ANNA, Patience.LONG);
		await().until(
				() -> this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().status() != Status.PENDING);
		return String.valueOf(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().detail());
	}

}
