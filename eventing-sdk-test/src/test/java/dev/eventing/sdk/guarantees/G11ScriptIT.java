package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.SwitchOptions;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: a version of the code may bring a script that creates its tables. Nothing is done
 * to the live ones until the switch.
 */
class G11ScriptIT {

	private static final String SCRIPT = """
			-- of version 2
			create table fee_accounts (account text primary key);
			create table fees (
			  account  text primary key references fee_accounts,
			  deposits bigint not null,
			  fee      bigint not null default 0 check (fee >= 0)
			);
			create index fees_by_fee on fees (fee);
			create trigger fees_changed before update on fees
			  for each row execute function suppress_redundant_updates_trigger();
			""";

	@TempDir
	Path folder;

	@AutoClose
	private final World world = World.create();

	private final Generations generations = new Generations(this.world, "fees");

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	/** A copy of these tables would lose the trigger and the foreign key. */
	@BeforeEach
	void createTables() throws IOException {
		this.world.jdbc().execute("""
				create table fee_accounts (account text primary key);
				create table fees (account text primary key references fee_accounts, deposits bigint not null);
				create trigger fees_changed before update on fees
				  for each row execute function suppress_redundant_updates_trigger();
				grant select on fees to public""");
		script(SCRIPT);
	}

	@Test
	void buildsTablesThatTheLiveOnesAreNotLike() {
		beginWithTheFirst(3);
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			this.generations.build();
			assertThat(fees("fees_g2")).isEqualTo(6);
			assertThat(columns("public")).doesNotContain("fee");
			assertThat(isReadableByAll("fees_g2")).isTrue();
			this.generations.switchTo(2);
			append(4, 5);
			awaitDeposits("public", 5);
			assertThat(fees("public")).isEqualTo(10);
			assertThat(isReadableByAll("public")).isTrue();
			awaitDeposits("fees_g1", 5);
			await().until(() -> isReported(1));
			this.operators.switchTo("fees", 1, SwitchOptions.STRICT.acceptingLostColumns(),
					new ProjectionRequest.By("anna", "a test"), Patience.LONG);
			this.generations.awaitEnd();
			assertThat(this.generations.live()).as(this.generations.detail()).isEqualTo(1);
			this.generations.switchTo(2);
			this.generations.retire(1);
			this.generations.assertThatNothingIsLeft();
			append(6, 6);
			awaitDeposits("public", 6);
			assertThat(fees("public")).isEqualTo(12);
		}
	}

	/** The columns that a script leaves out are lost, as in any generation. */
	@Test
	void losesNoColumnUnnoticed() throws IOException {
		this.world.jdbc().execute("alter table fees add remark text");
		beginWithTheFirst(1);
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			int built = this.generations.build();
			this.generations.requestSwitch(built);
			this.generations.awaitEnd();
			assertThat(this.generations.detail()).contains("column 'remark' of table 'fees' is missing");
		}
	}

	@Test
	void switchesToNoTablesWithOtherRights() {
		beginWithTheFirst(1);
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			int built = this.generations.build();
			this.world.jdbc().execute("revoke select on fees_g2.fees from public");
			this.generations.requestSwitch(built);
			this.generations.awaitEnd();
			assertThat(this.generations.detail()).contains("grant of SELECT to public of table 'fees'");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					create table fees (account text primary key, deposits bigint, fee bigint) | creates no table fee_accounts in the schema
					%s; create table more (id int)                                            | holds more than the read model's tables: table fees_g2.more
					%s; create view seen as select * from fees                                | holds more than the read model's tables: view fees_g2.seen
					%s; alter table public.fees add fee bigint                                | The script changes or refers to public.fees, outside
					%s; create table public.fees2 (id int)                                    | The script changes or refers to public.fees2, outside
					%s; commit                                                                | EXECUTE of transaction commands is not implemented
					%s; creat table x (id int)                                                | syntax error at or near "creat"
					`create table fees (account text references no_such_table)`               | relation "no_such_table" does not exist
					""")
	void doesNothingByAScriptThatDoesSomethingElse(String script, String why) throws IOException {
		script(script.replace("%s", SCRIPT.strip().replaceAll(";$", "")));
		beginWithTheFirst(1);
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			this.generations.requestBuild();
			this.generations.awaitEnd();
			assertThat(this.generations.status()).isEqualTo(Status.FAILED);
			assertThat(this.generations.detail()).startsWith("file:").contains(why);
			this.generations.assertThatNothingIsLeft();
			assertThat(columns("public")).containsExactlyInAnyOrder("account", "deposits");
			append(2, 2);
			awaitDeposits("public", 2);
		}
	}

	/** The handlers of the one may not fit the tables of the other. */
	@Test
	void isNotFilledByCodeWithAnotherScript() throws IOException {
		beginWithTheFirst(200);
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			this.operators.rebuildBeside("fees", new BuildOptions(10, null), "anna", "a test", Patience.LONG);
			awaitStatus(ProjectionGeneration.Status.BUILDING);
		}
		script(SCRIPT.replace("default 0", "default 1"));
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			await().until(() -> this.world.jdbc()
				.queryForList("select detail from eventing.projector_nodes where projector_name = 'fees#2'",
						String.class)
				.stream()
				.anyMatch((detail) -> detail
					.contains("The script that creates its tables is another one than when generation 2 was begun")));
		}
		script(SCRIPT);
		try (AnnotationConfigApplicationContext both = start(new First(), new Second())) {
			awaitStatus(ProjectionGeneration.Status.READY);
			assertThat(fees("fees_g2")).isEqualTo(400);
		}
	}

	/** Only a copy would lose the trigger. */
	@Test
	void plansByWhatTheNewestCodeBrings() {
		append(1, 1);
		try (AnnotationConfigApplicationContext former = start(new First())) {
			awaitDeposits("public", 1);
			await().until(() -> !plan().contains("No node has reported version 1"));
			assertThat(plan()).contains("has the trigger 'fees_changed'");
			try (AnnotationConfigApplicationContext both = start(new Second())) {
				await().until(() -> plan().equals("[]"));
			}
		}
	}

	/** Where there is no generation yet, the newest version begins. */
	private void beginWithTheFirst(long deposits) {
		append(1, deposits);
		try (AnnotationConfigApplicationContext former = start(new First())) {
			awaitDeposits("public", deposits);
		}
	}

	private String plan() {
		return this.operators.plan("fees", ProjectionRequest.What.build(BuildOptions.DEFAULT)).obstacles().toString();
	}

	private void script(String text) throws IOException {
		Files.writeString(this.folder.resolve("fees-2.sql"), text);
	}

	private AnnotationConfigApplicationContext start(Object... versions) {
		return this.world.start(WorldApplication.of(versions)
			.lease(Duration.ofSeconds(2))
			.properties(Map.of("fees.script", this.folder.resolve("fees-2.sql").toUri().toString())));
	}

	private void append(long from, long to) {
		this.world.append(World.ACME, "a", from, to);
	}

	private boolean isReported(int version) {
		return this.world.count("select count(*) from eventing.projector_nodes where version = " + version) > 0;
	}

	private void awaitDeposits(String schema, long deposits) {
		await().until(() -> this.world
			.count("select coalesce(sum(deposits), 0)::bigint from " + schema + ".fees") == deposits);
	}

	private long fees(String schema) {
		return this.world.count("select coalesce(sum(fee), 0)::bigint from " + schema + ".fees");
	}

	private List<String> columns(String schema) {
		return this.world.jdbc()
			.queryForList(
					"select column_name from information_schema.columns where table_name = 'fees' and table_schema = ?",
					String.class, schema);
	}

	private boolean isReadableByAll(String schema) {
		return this.world
			.count("""
					select count(*) from information_schema.role_table_grants
					 where grantee = 'PUBLIC' and privilege_type = 'SELECT' and table_name = 'fees' and table_schema = '%s'"""
				.formatted(schema)) == 1;
	}

	private void awaitStatus(ProjectionGeneration.Status status) {
		await().until(() -> this.generations.beside().filter((each) -> each.status() == status).isPresent());
	}

	/** Counts deposits. */
	@Projector(value = "fees", tables = { "fees", "fee_accounts" })
	static class First {

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event) {
			this.jdbc.update("insert into fee_accounts values (?) on conflict do nothing", event.account());
			this.jdbc.update("""
					insert into fees as f (account, deposits) values (?, 1)
					on conflict (account) do update set deposits = f.deposits + 1""", event.account());
		}

	}

	/** Counts fees, too, in a column that it brings. */
	@Projector(value = "fees", version = 2, tables = { "fees", "fee_accounts" }, script = "${fees.script}")
	static class Second extends First {

		@Override
		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event) {
			super.on(event);
			this.jdbc.update("update fees set fee = fee + 2 where account = ?", event.account());
		}

	}

}
