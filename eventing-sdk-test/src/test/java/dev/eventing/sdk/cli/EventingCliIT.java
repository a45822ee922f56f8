package dev.eventing.sdk.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import dev.eventing.sdk.cli.CliProgram.Run;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the jar that operators run, as they do. */
class EventingCliIT {

	private static final PostgresServer POSTGRES = TestServers.postgres();

	private static String url;

	private static JdbcTemplate jdbc;

	@TempDir
	private Path directory;

	private UUID head;

	private UUID behind;

	private UUID globexes;

	@BeforeAll
	static void createDatabase() throws Exception {
		url = POSTGRES.createDatabase();
		jdbc = new JdbcTemplate(POSTGRES.dataSource(url));
		new SchemaInitializer(POSTGRES.dataSource(url), EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
	}

	@BeforeEach
	void addLetters() {
		jdbc.execute("truncate eventing.dead_letters, eventing.dead_letter_audit, eventing.dead_letter_redrives, "
				+ "eventing.processed_events, eventing.leases");
		this.head = add("acme", "ATTEMPTS_EXHAUSTED", 3,
				"{\"total\":12345678901234567.890,\"note\":\"\\u001B[31mred\"}".getBytes(StandardCharsets.UTF_8));
		this.behind = add("acme", "BEHIND", 0, "{\"total\":13}".getBytes(StandardCharsets.UTF_8));
		this.globexes = add("globex", "UNREADABLE:NOT_JSON", 0, new byte[] { 0, (byte) 0xFF });
	}

	private static UUID add(String tenant, String reason, int attempts, byte[] payload) {
		UUID letterId = UUID.randomUUID();
		jdbc.update("""
				insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, event_type,
				       ordering_key, parking_key, subject, headers, payload, stream, stream_sequence, published_at,
				       reason, error_class, error_message, stack_trace, attempts, first_failed_at)
				values (?, 'order-summary', ?, ?, 'order.placed', 'o-1', ?, 'orders.placed',
				        '{"ce-type": ["order.placed"]}', ?, 'ORDERS', 7, now(), ?, ?, ?, ?, ?, now())
				""", letterId, tenant, UUID.randomUUID(), tenant + "/o-1", payload, reason,
				(attempts > 0) ? "java.lang.IllegalStateException" : null, (attempts > 0) ? "no \u001B[2Jstock" : null,
				(attempts > 0) ? "java.lang.IllegalStateException: no stock\n\tat Orders.on(Orders.java:7)" : null,
				attempts);
		return letterId;
	}

	@Test
	void listsLettersAsATable() throws Exception {
		Run run = dlq("list");
		assertThat(run.exitCode()).isZero();
		assertThat(run.out().lines()).hasSize(4)
			.first()
			.asString()
			.startsWith("LETTER")
			.contains("STATUS", "PROJECTOR", "ERROR");
		assertThat(run.out()).contains(this.head.toString(), this.behind.toString(), "IllegalStateException: no")
			.doesNotContain("\u001B");
		assertThat(run.err()).isEmpty();
	}

	@Test
	void namesTheLetterThatOthersOfItsKeyWaitFor() throws Exception {
		assertThat(dlq("list").out()).contains("BEHIND " + this.head);
		JsonNode letters = dlq("list", "--json", "--tenant", "acme").json().get("letters");
		assertThat(letters.at("/0/behind").asString("")).isEqualTo(this.head.toString());
		assertThat(letters.at("/1/behind").isNull()).isTrue();
		assertThat(dlq("show", this.behind.toString()).out()).containsPattern("Behind +" + this.head);
		assertThat(dlq("show", this.head.toString()).out()).containsPattern("Behind +-");
		JsonNode json = dlq("show", this.behind.toString(), "--json").json();
		assertThat(json.at("/letter/behind").asString("")).isEqualTo(this.head.toString());
		assertThat(json.at("/handling/parkingKey").asString("")).isEqualTo("acme/o-1");
		assertThat(json.at("/sameKey").valueStream().map((letter) -> letter.path("letterId").asString("")))
			.containsExactly(this.head.toString(), this.behind.toString());
	}

	@Test
	void listsPageByPageAsJson() throws Exception {
		JsonNode first = dlq("list", "--json", "--limit", "2").json();
		assertThat(ids(first)).containsExactly(this.globexes, this.behind);
		JsonNode second = dlq("list", "--json", "--limit", "2", "--after", first.get("next").asString()).json();
		assertThat(ids(second)).containsExactly(this.head);
		assertThat(second.get("next").isNull()).isTrue();
	}

	@Test
	void listsWhatFitsTheFilters() throws Exception {
		assertThat(ids(dlq("list", "--json", "--error", "java.lang.IllegalStateException").json()))
			.containsExactly(this.head);
		assertThat(ids(dlq("list", "--json", "--projector", "order-summary", "--type", "order.placed", "--key", "o-1",
				"--status", "parked", "--since", "2h", "--until", "2100-01-01T00:00:00Z")
			.json())).hasSize(3);
		Run none = dlq("list", "--until", "1h");
		assertThat(none.exitCode()).isEqualTo(3);
		assertThat(none.out()).isEmpty();
		assertThat(none.err()).contains("No letter matches");
	}

	@Test
	void showsTheCauseInTheListAndAboveTheStackTrace() throws Exception {
		String cause = ", caused by org.postgresql.util.PSQLException: ERROR: null value in column total";
		jdbc.update("update eventing.dead_letters set error_message = ? where letter_id = ?",
				"insert into t (" + "a_column,\n".repeat(18) + ")" + cause, this.head);
		assertThat(dlq("list").out()).contains("IllegalStateException: insert into t (a_column, a_column,", cause);
		assertThat(dlq("show", this.head.toString()).out()).containsSubsequence(cause,
				"java.lang.IllegalStateException: no stock", "at Orders.on");
	}

	@Test
	void showsALetter() throws Exception {
		Run run = dlq("show", this.head.toString());
		assertThat(run.exitCode()).isZero();
		assertThat(run.out())
			.contains("order-summary", "ce-type: order.placed", "\"total\" : 12345678901234567.890", "at Orders.on")
			.doesNotContain("\u001B");
		JsonNode json = dlq("show", this.globexes.toString(), "--json").json();
		assertThat(json.at("/event/payload/encoding").asString("")).isEqualTo("BASE64");
		assertThat(Base64.getDecoder().decode(json.at("/event/payload/content").asString("")))
			.isEqualTo(new byte[] { 0, (byte) 0xFF });
		assertThat(json.get("audit").isArray()).isTrue();
		assertThat(json.get("redriver").isNull()).isTrue();
		assertThat(dlq("show", this.head.toString(), "--json").json().at("/event/payload/encoding").asString(""))
			.isEqualTo("UTF-8");
		assertThat(dlq("show", this.globexes.toString()).out()).contains("2 bytes, binary", "AP8=");
		assertThat(dlq("show", UUID.randomUUID().toString()).exitCode()).isEqualTo(3);
	}

	@Test
	void countsLetters() throws Exception {
		Run run = dlq("stats", "--interval", "1h", "--intervals", "3");
		assertThat(run.exitCode()).isZero();
		assertThat(run.out()).contains("LETTERS", "order-summary", "UNREADABLE:NOT_JSON", "###");
		JsonNode json = dlq("stats", "--json").json();
		assertThat(json.get("groups").size()).isEqualTo(3);
		assertThat(json.get("overTime").size()).isEqualTo(24);
	}

	@Test
	void exportsAllThereIsLineByLine() throws Exception {
		List<JsonNode> lines = dlq("export").lines();
		assertThat(lines).extracting((line) -> line.at("/letter/letterId").asString(""))
			.containsExactly(this.head.toString(), this.behind.toString(), this.globexes.toString());
		assertThat(lines.get(0).get("stackTrace").asString()).contains("Orders.java:7");
		assertThat(lines.get(0).at("/letter/errorClass").asString("")).isEqualTo("java.lang.IllegalStateException");
		assertThat(lines.get(1).at("/event/payload/content").asString("")).isEqualTo("{\"total\":13}");
		assertThat(lines.get(1).at("/handling/parkingKey").asString("")).isEqualTo("acme/o-1");
		assertThat(lines.get(1).propertyNames())
			.containsExactlyElementsOf(dlq("show", this.behind.toString(), "--json").json().propertyNames());
		Path file = this.directory.resolve("letters.jsonl");
		Run run = dlq("export", "--tenant", "acme", "-o", file.toString());
		assertThat(run.out()).isEmpty();
		assertThat(Files.readAllLines(file)).hasSize(2);
	}

	@Test
	void redrivesOnRequestAndSaysThatNobodyIsThereToRunIt() throws Exception {
		Run run = dlq("redrive", this.head.toString(), "--yes", "--actor", "anna", "--rate", "5", "--alive-within",
				"1s");
		assertThat(run.exitCode()).isEqualTo(5);
		assertThat(run.out()).contains("2 letters (1 selected, 1 more of their keys)", "0 of 2 resolved");
		assertThat(run.err()).contains("No application that has the handler of order-summary is running",
				"request stays");
		assertThat(statuses()).containsEntry(this.head, "REDRIVING")
			.containsEntry(this.behind, "REDRIVING")
			.containsEntry(this.globexes, "PARKED");
		assertThat(jdbc.queryForMap("select actor, rate_per_second from eventing.dead_letter_redrives"))
			.containsEntry("actor", "anna")
			.containsEntry("rate_per_second", 5);
		assertThat(dlq("redrive", this.head.toString(), "--yes").exitCode()).isEqualTo(3);
	}

	@Test
	void saysAtOnceThatNobodyIsThereWhenItDoesNotWait() throws Exception {
		Run run = dlq("redrive", "--all", "--yes", "--no-wait", "--json");
		assertThat(run.exitCode()).isEqualTo(5);
		assertThat(run.json().at("/progress/waiting").asInt()).isEqualTo(3);
		assertThat(run.json().at("/progress/over").asBoolean(true)).isFalse();
		assertThat(run.json().at("/redrive/redriveId").asString("")).isNotBlank();
		assertThat(run.json().at("/redrive/letters").asInt()).isEqualTo(3);
		assertThat(run.json().at("/redrive/unattended/0").asString("")).isEqualTo("order-summary");
	}

	@Test
	void namesOnlyProjectorsWhoseLettersStillWait() throws Exception {
		jdbc.update("update eventing.dead_letters set projector_name = 'stock' where letter_id = ?", this.globexes);
		// Those of the other projector are run before the command can look.
		jdbc.execute("""
				create function eventing.run_at_once() returns trigger language plpgsql as $$
				begin
				  new.status := 'RESOLVED';
				  new.closed_at := now();
				  return new;
				end $$;
				create trigger run_at_once before update on eventing.dead_letters for each row
				  when (new.projector_name = 'order-summary') execute function eventing.run_at_once()""");
		try {
			Run run = dlq("redrive", "--all", "--yes", "--no-wait", "--json");
			assertThat(run.exitCode()).isEqualTo(5);
			assertThat(run.err()).contains("No application that has the handler of stock is running.");
			assertThat(run.json().at("/redrive/unattended").valueStream().map(JsonNode::asString))
				.containsExactly("stock");
			assertThat(run.json().at("/redrive/byProjector/order-summary").asInt()).isEqualTo(2);
		}
		finally {
			jdbc.execute("drop trigger run_at_once on eventing.dead_letters; drop function eventing.run_at_once()");
		}
	}

	@Test
	void followsARedriveUntilItIsOver() throws Exception {
		ownTheProjector();
		Process process = start("redrive", "--all", "--yes");
		await("select count(*) = 3 from eventing.dead_letters where status = 'REDRIVING'");
		jdbc.update("update eventing.dead_letters set status = 'RESOLVED', closed_at = now()");
		Run run = end(process);
		assertThat(run.exitCode()).isZero();
		assertThat(run.out()).contains("3 of 3 resolved");
	}

	@Test
	void hasTheRequestAndItsEndInOneJson() throws Exception {
		ownTheProjector();
		Process process = start("redrive", "--all", "--yes", "--json");
		await("select count(*) = 3 from eventing.dead_letters where status = 'REDRIVING'");
		jdbc.update("update eventing.dead_letters set status = 'RESOLVED', closed_at = now()");
		JsonNode json = end(process).json();
		assertThat(json.at("/redrive/byProjector/order-summary").asInt()).isEqualTo(3);
		assertThat(json.at("/redrive/unattended").isArray()).isTrue();
		assertThat(json.at("/redrive/unattended")).isEmpty();
		assertThat(json.at("/progress/resolved").asInt()).isEqualTo(3);
		assertThat(json.at("/progress/over").asBoolean()).isTrue();
		assertThat(json.at("/progress/redriveId").asString("")).isEqualTo(json.at("/redrive/redriveId").asString());
		Run none = dlq("redrive", "--all", "--yes", "--json");
		assertThat(none.exitCode()).isEqualTo(3);
		assertThat(none.json().at("/redrive/letters").asInt(-1)).isZero();
		assertThat(none.json().at("/progress").isNull()).isTrue();
	}

	@Test
	void saysThatLettersStayParked() throws Exception {
		ownTheProjector();
		Process process = start("redrive", "--all", "--yes");
		await("select count(*) = 3 from eventing.dead_letters where status = 'REDRIVING'");
		jdbc.update("update eventing.dead_letters set status = 'PARKED', redrives = 1");
		Run run = end(process);
		assertThat(run.exitCode()).isEqualTo(4);
		assertThat(run.out()).contains("3 parked");
		assertThat(run.err()).contains("stay parked");
	}

	@Test
	void discardsLetters() throws Exception {
		Run run = dlq("discard", this.head.toString(), "--reason", "test order", "--actor", "anna", "--yes");
		assertThat(run.exitCode()).isZero();
		assertThat(run.out().strip()).isEqualTo("Discarded 1 letter.");
		assertThat(statuses()).containsEntry(this.head, "DISCARDED").containsEntry(this.behind, "REDRIVING");
		assertThat(dlq("show", this.head.toString()).out()).contains("DISCARDED  anna  test order");
		assertThat(dlq("discard", this.head.toString(), "--reason", "again", "--yes").exitCode()).isEqualTo(3);
	}

	@Test
	void editsALetter() throws Exception {
		Path file = Files.writeString(this.directory.resolve("payload.json"), "{\"total\":14}");
		Run run = dlq("edit", this.head.toString(), "--payload", file.toString(), "--reason", "typing error");
		assertThat(run.exitCode()).as(run.err()).isZero();
		assertThat(dlq("show", this.head.toString(), "--json").json().at("/event/editedPayload/content").asString(""))
			.isEqualTo("{\"total\":14}");
		Run original = dlq("edit", this.head.toString(), "--original", "--reason", "was right", "--json");
		assertThat(original.exitCode()).isZero();
		assertThat(original.json().get("letterId").asString()).isEqualTo(this.head.toString());
		assertThat(dlq("edit", this.head.toString(), "--reason", "neither").exitCode()).isEqualTo(2);
	}

	@Test
	void changesNothingInADryRun() throws Exception {
		List<String> before = all();
		Run plan = dlq("redrive", "--all", "--dry-run");
		assertThat(plan.exitCode()).isEqualTo(5);
		assertThat(plan.out()).contains("Would redrive 3 letters");
		assertThat(plan.err().strip()).isEqualTo("No application that has the handler of order-summary is running."
				+ " The letters would be redriven once one starts.");
		ownTheProjector();
		Run attended = dlq("redrive", this.head.toString(), "--dry-run", "--json");
		assertThat(attended.exitCode()).as(attended.err()).isZero();
		assertThat(attended.err()).isEmpty();
		JsonNode redrive = attended.json();
		assertThat(redrive.at("/redrive/followers").asInt()).isEqualTo(1);
		assertThat(redrive.at("/progress").isNull()).isTrue();
		assertThat(dlq("discard", "--all", "--dry-run", "--reason", "why").out()).contains("Would discard 3 letters");
		JsonNode discard = dlq("discard", "--all", "--dry-run", "--reason", "why", "--json").json();
		assertThat(discard.get("letters").asInt()).isEqualTo(3);
		assertThat(discard.get("dryRun").asBoolean()).isTrue();
		assertThat(all()).isEqualTo(before);
	}

	@Test
	void changesNothingThatIsNotConfirmedOrNotChosen() throws Exception {
		List<String> before = all();
		Run unconfirmed = dlq("redrive", "--all");
		assertThat(unconfirmed.exitCode()).isEqualTo(6);
		assertThat(unconfirmed.err()).contains("Redrive 3 letters", "--yes");
		assertThat(dlq("discard", "--all", "--reason", "why").exitCode()).isEqualTo(6);
		assertThat(dlq("redrive", "--yes").exitCode()).isEqualTo(2);
		assertThat(dlq("discard", "--yes", "--reason", "why").exitCode()).isEqualTo(2);
		assertThat(dlq("discard", "--yes", "--all").exitCode()).isEqualTo(2);
		assertThat(dlq("redrive", "--yes", "--tenant", "acme").exitCode()).isEqualTo(2);
		assertThat(all()).isEqualTo(before);
	}

	@Test
	void neitherShowsNorChangesLettersOfAnotherTenant() throws Exception {
		String other = this.globexes.toString();
		List<String> before = all();
		assertThat(ids(dlq("list", "--json", "--tenant", "acme").json())).containsExactly(this.behind, this.head);
		assertThat(dlq("show", other, "--tenant", "acme").exitCode()).isEqualTo(3);
		assertThat(dlq("redrive", other, "--tenant", "acme", "--yes").exitCode()).isEqualTo(3);
		assertThat(dlq("discard", other, "--tenant", "acme", "--yes", "--reason", "mine").exitCode()).isEqualTo(3);
		assertThat(dlq("edit", other, "--tenant", "acme", "--original", "--reason", "mine").exitCode()).isEqualTo(3);
		assertThat(dlq("stats", "--json", "--tenant", "acme").json().get("groups").size()).isEqualTo(2);
		assertThat(dlq("export", "--tenant", "acme").lines()).hasSize(2);
		assertThat(all()).isEqualTo(before);
		dlq("discard", "--all", "--tenant", "acme", "--yes", "--reason", "ours");
		assertThat(statuses()).containsEntry(this.globexes, "PARKED");
	}

	@Test
	void saysInOneLineWhatIsWrong() throws Exception {
		assertError(run(Map.of(), "dlq", "list", "--url", "jdbc:postgresql://127.0.0.1:1/none"), 1,
				"cannot be reached");
		assertError(run(Map.of(), "dlq", "list", "--url", "jdbc:postgresql://127.0.0.1:" + POSTGRES.port()
				+ "/none?user=" + POSTGRES.username() + "&password=secret"), 1, "none");
		assertError(run(Map.of(), "dlq", "list", "--url", "mysql://root:secret@db/none"), 2, "postgresql://USER@HOST");
		assertError(run(Map.of(), "dlq", "list"), 2, "EVENTING_DATABASE_URL");
		assertError(dlq("list", "--schema", "elsewhere"), 1, "tables are missing in schema 'elsewhere'");
		assertError(dlq("list", "--limit", "0"), 1, "'limit' must be 1 to 1000");
		assertThat(dlq("list", "--schema", "elsewhere", "-v").err()).contains("\tat ");
		assertThat(dlq("list", "--since", "soon").exitCode()).isEqualTo(2);
		assertThat(dlq("list", "--tenant", "a.b").exitCode()).isEqualTo(2);
	}

	@Test
	void takesTheUrlThatPsqlTakes() throws Exception {
		String database = url.substring(url.lastIndexOf('/')).replaceAll("\\?.*", "");
		Run run = run(
				Map.of("EVENTING_DATABASE_URL",
						"postgresql://" + POSTGRES.username() + ":secret@127.0.0.1:" + POSTGRES.port() + database),
				"dlq", "list", "--json");
		assertThat(run.exitCode()).as(run.err()).isZero();
	}

	@Test
	void explainsItself() throws Exception {
		assertThat(run(Map.of(), "--version").out()).startsWith("eventing ");
		assertThat(run(Map.of(), "dlq", "--help").out()).contains("list", "show", "stats", "redrive", "discard", "edit",
				"export");
		assertThat(run(Map.of(), "dlq", "redrive", "--help").out()).contains("Exit codes:", "--dry-run", "--rate");
	}

	private static void assertError(Run run, int exitCode, String words) {
		assertThat(run.exitCode()).as(run.toString()).isEqualTo(exitCode);
		assertThat(run.out()).isEmpty();
		assertThat(run.err()).contains(words).doesNotContain("secret").doesNotContain("\tat ");
		assertThat(run.err().lines()).hasSize(1);
	}

	/** As a projector that is alive does. */
	private static void ownTheProjector() {
		jdbc.update(
				"insert into eventing.leases values ('projector/order-summary', 'node', 1, now(), now() + interval '1 h')");
	}

	private static void await(String condition) {
		Awaitility.await().until(() -> Boolean.TRUE.equals(jdbc.queryForObject(condition, Boolean.class)));
	}

	private static Map<UUID, String> statuses() {
		return jdbc
			.query("select letter_id, status from eventing.dead_letters",
					(row, number) -> Map.entry(row.getObject(1, UUID.class), row.getString(2)))
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	private static List<String> all() {
		return jdbc.queryForList("""
				select d::text from eventing.dead_letters d
				union all select a::text from eventing.dead_letter_audit a
				union all select r::text from eventing.dead_letter_redrives r
				union all select p::text from eventing.processed_events p
				order by 1""", String.class);
	}

	private static List<UUID> ids(JsonNode page) {
		return StreamSupport.stream(page.get("letters").spliterator(), false)
			.map((letter) -> UUID.fromString(letter.get("letterId").asString()))
			.toList();
	}

	private Run dlq(String... arguments) throws Exception {
		return end(start(arguments));
	}

	private Process start(String... arguments) throws IOException {
		List<String> all = new ArrayList<>(List.of("dlq"));
		all.addAll(List.of(arguments));
		return start(Map.of("EVENTING_DATABASE_URL", url), all);
	}

	private Run run(Map<String, String> environment, String... arguments) throws Exception {
		return end(start(environment, List.of(arguments)));
	}

	private Process start(Map<String, String> environment, List<String> arguments) throws IOException {
		return CliProgram.start(this.directory, environment, arguments);
	}

	private Run end(Process process) throws Exception {
		return CliProgram.end(this.directory, process);
	}

}
