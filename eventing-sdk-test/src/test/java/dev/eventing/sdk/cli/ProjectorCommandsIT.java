package dev.eventing.sdk.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.cli.CliProgram.Run;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands on projectors, in the jar that operators run. */
class ProjectorCommandsIT {

	private static final PostgresServer POSTGRES = TestServers.postgres();

	private static String url;

	private static JdbcTemplate jdbc;

	@TempDir
	private Path directory;

	@BeforeAll
	static void createDatabase() throws Exception {
		url = POSTGRES.createDatabase();
		jdbc = new JdbcTemplate(POSTGRES.dataSource(url));
		new SchemaInitializer(POSTGRES.dataSource(url), EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
	}

	/** One that lags, one that does not, and one that no node runs. */
	@BeforeEach
	void addProjectors() {
		jdbc.execute(
				"""
						truncate eventing.projector_nodes, eventing.projector_controls, eventing.projection_audit,
						         eventing.projector_positions, eventing.leases;
						insert into eventing.projector_nodes (projector_name, node, state, detail, behind_events, behind_seconds)
						values ('order-summary', 'shop:1/a', 'RUNNING', 'pulling from stream ''ORDERS''', 7, 12.5),
						       ('revenue', 'shop:1/a', 'RUNNING', 'no \u001B[2Jescape', 0, 0);
						insert into eventing.projector_positions (projector_name, stream, stream_created, floor)
						values ('order-summary', 'ORDERS', now(), 35), ('revenue', 'ORDERS', now(), 42),
						       ('retired', 'ORDERS', now(), 3);
						insert into eventing.leases
						values ('projector/order-summary', 'shop:1/a', 1, now(), now() + interval '1 h')""");
	}

	@Test
	void listsProjectorsAsATable() throws Exception {
		Run run = projector("list");
		assertThat(run.exitCode()).isZero();
		assertThat(run.out().lines()).hasSize(4).first().asString().contains("PROJECTOR", "BEHIND", "OWNER");
		assertThat(run.out()).contains("order-summary", "RUNNING", "shop:1/a", "12.5", "NO_NODE")
			.doesNotContain("\u001B");
		assertThat(run.err()).isEmpty();
	}

	@Test
	void listsProjectorsAsJson() throws Exception {
		JsonNode all = projector("list", "--json").json().path("projectors");
		assertThat(all).hasSize(3);
		JsonNode first = all.path(0);
		assertThat(first.path("name").asString()).isEqualTo("order-summary");
		assertThat(first.path("generation").asInt()).isEqualTo(1);
		assertThat(first.path("role").asString()).isEqualTo("live");
		assertThat(first.path("position").asLong()).isEqualTo(35);
		assertThat(first.path("behindEvents").asLong()).isEqualTo(7);
		assertThat(first.path("behindSeconds").asDouble()).isEqualTo(12.5);
		assertThat(first.path("owner").asString()).isEqualTo("shop:1/a");
		assertThat(all.path(1).path("status").asString()).isEqualTo("NO_NODE");
		assertThat(all.path(1).path("behindEvents").isNull()).isTrue();
	}

	@Test
	void pausesAndResumesAProjectorWithAnAudit() throws Exception {
		Run pause = projector("pause", "order-summary", "--actor", "anna", "--reason", "a wrong currency");
		assertThat(pause.exitCode()).as(pause.err()).isZero();
		assertThat(pause.out().strip()).isEqualTo("Projector 'order-summary' is paused. Nodes follow within a second.");
		assertThat(projector("list").out()).contains("PAUSED", "paused by anna: a wrong currency");
		Run again = projector("pause", "order-summary", "--actor", "bert", "--reason", "still wrong");
		assertThat(again.exitCode()).isZero();
		assertThat(again.out()).contains("is paused already. Actor and reason are changed.");
		Run resume = projector("resume", "order-summary", "--actor", "anna", "--json");
		assertThat(resume.exitCode()).isZero();
		assertThat(resume.json().path("changed").asBoolean()).isTrue();
		assertThat(projector("resume", "order-summary").out().strip())
			.isEqualTo("Projector 'order-summary' is not paused.");
		assertThat(jdbc.queryForList("""
				select action || ' ' || actor || ' ' || coalesce(reason, '-') from eventing.projection_audit
				 order by audit_id""", String.class)).containsExactly("PAUSED anna a wrong currency",
				"PAUSED bert still wrong", "RESUMED anna -");
	}

	@Test
	void demotesAndPromotesAnInlineProjectorWithAnAudit() throws Exception {
		jdbc.execute("truncate eventing.projection_inline");
		Run unknown = projector("demote", "order-summary", "--reason", "it stops orders");
		assertThat(unknown.exitCode()).isEqualTo(3);
		assertThat(unknown.err()).contains("No inline projector 'order-summary' has ever run on this database.");
		jdbc.execute("insert into eventing.projection_inline (projection_name, code) values ('order-summary', 'x')");
		assertThat(projector("demote", "order-summary", "--reason", "it stops orders", "--dry-run").out().strip())
			.isEqualTo("Would demote projector 'order-summary'.");
		Run demote = projector("demote", "order-summary", "--actor", "anna", "--reason", "it stops orders");
		assertThat(demote.exitCode()).as(demote.err()).isZero();
		assertThat(demote.out().strip())
			.isEqualTo("Projector 'order-summary' is demoted. Appends that begin now skip it.");
		assertThat(projector("demote", "order-summary", "--reason", "again").out()).contains("is demoted already");
		assertThat(projector("promote", "order-summary", "--actor", "anna", "--json").out().strip())
			.isEqualTo("{\"projector\":\"order-summary\",\"changed\":true,\"dryRun\":false,\"attended\":true}");
		assertThat(projector("promote", "order-summary").out().strip())
			.isEqualTo("Projector 'order-summary' is not demoted.");
		assertThat(jdbc.queryForList("""
				select action || ' ' || actor || ' ' || coalesce(reason, '-') from eventing.projection_audit
				 order by audit_id""", String.class)).containsExactly("DEMOTED anna it stops orders",
				"PROMOTED anna -");
	}

	/** An error of a command means that it has changed nothing. */
	@Test
	void demotesNothingIfItCannotLookWhetherANodeRunsTheProjector() throws Exception {
		jdbc.execute("""
				truncate eventing.projection_inline;
				insert into eventing.projection_inline (projection_name, code) values ('order-summary', 'x');
				alter table eventing.projector_overview rename column behind_events to away""");
		try {
			Run run = projector("demote", "order-summary", "--reason", "it stops orders", "--json");
			assertThat(run.exitCode()).isEqualTo(1);
			assertThat(run.err()).contains("are older than this program");
			assertThat(jdbc.queryForList("select * from eventing.projection_audit")).isEmpty();
		}
		finally {
			jdbc.execute("alter table eventing.projector_overview rename column away to behind_events");
		}
	}

	@Test
	void saysThatNoNodeRunsTheProjectorAndStoresThePauseAllTheSame() throws Exception {
		Run run = projector("pause", "retired", "--reason", "why");
		assertThat(run.exitCode()).isEqualTo(5);
		assertThat(run.err()).contains("No node runs projector 'retired' now. The change is stored");
		assertThat(jdbc.queryForObject("select paused from eventing.projector_controls", Boolean.class)).isTrue();
		assertThat(projector("lag", "retired").exitCode()).isEqualTo(5);
		assertThat(projector("lag", "retired").err()).contains("No node runs projector 'retired' now.");
	}

	@Test
	void comparesTheLagWithLimits() throws Exception {
		assertThat(projector("lag").exitCode()).isZero();
		assertThat(projector("lag", "order-summary", "--max-events", "7", "--max-seconds", "13").exitCode()).isZero();
		Run events = projector("lag", "order-summary", "--max-events", "6");
		assertThat(events.exitCode()).isEqualTo(7);
		assertThat(events.out()).contains("order-summary", "too much");
		Run seconds = projector("lag", "order-summary", "--max-seconds", "12", "--json");
		assertThat(seconds.exitCode()).isEqualTo(7);
		assertThat(seconds.out().strip())
			.isEqualTo("{\"projectors\":[{\"name\":\"order-summary\",\"generation\":1,\"status\":\"RUNNING\","
					+ "\"behindEvents\":7,\"behindSeconds\":12.5,\"tooMuch\":true}]}");
		assertThat(projector("lag", "revenue", "--max-seconds", "0").exitCode()).isZero();
		assertThat(projector("lag", "retired", "--max-events", "100").exitCode()).as("not known").isEqualTo(7);
	}

	@Test
	void changesNothingInADryRun() throws Exception {
		assertThat(projector("pause", "order-summary", "--reason", "why", "--dry-run").out().strip())
			.isEqualTo("Would pause projector 'order-summary'.");
		assertThat(jdbc.queryForList("select * from eventing.projector_controls")).isEmpty();
		projector("pause", "order-summary", "--reason", "why");
		List<Map<String, Object>> before = jdbc.queryForList("select * from eventing.projector_controls");
		assertThat(projector("resume", "order-summary", "--dry-run").out().strip())
			.isEqualTo("Would resume projector 'order-summary'.");
		assertThat(jdbc.queryForList("select * from eventing.projector_controls")).isEqualTo(before);
	}

	@Test
	void saysWhatIsWrong() throws Exception {
		Run unknown = projector("pause", "order-sumary", "--reason", "why");
		assertThat(unknown.exitCode()).isEqualTo(3);
		assertThat(unknown.err()).contains("'order-sumary'", "Known are order-summary, retired, revenue");
		assertThat(projector("lag", "order-sumary").exitCode()).isEqualTo(3);
		assertThat(projector("pause", "order-summary").exitCode()).as("no reason").isEqualTo(2);
		assertThat(projector("pause", "--reason", "why").exitCode()).as("no projector").isEqualTo(2);
		Run blank = projector("pause", "order-summary", "--reason", " ");
		assertThat(blank.exitCode()).isEqualTo(1);
		assertThat(blank.err()).contains("'reason' must not be blank");
		assertThat(projector("list", "--schema", "elsewhere").err())
			.contains("tables are missing in schema 'elsewhere'");
		assertThat(jdbc.queryForList("select * from eventing.projector_controls")).isEmpty();
		jdbc.execute("truncate eventing.projector_nodes, eventing.projector_positions");
		assertThat(projector("list").exitCode()).isEqualTo(3);
	}

	@Test
	void explainsItself() throws Exception {
		assertThat(projector("--help").out()).contains("list", "lag", "pause", "resume");
		assertThat(projector("lag", "--help").out()).contains("Exit codes:", "--max-events", "--max-seconds")
			.doesNotContain("--tenant");
	}

	/** The nodes have reported just now, and a command may need seconds to start. */
	private Run projector(String... arguments) throws Exception {
		jdbc.update("update eventing.projector_nodes set reported_at = clock_timestamp() + interval '14 seconds'");
		List<String> all = new ArrayList<>(List.of("projector"));
		all.addAll(List.of(arguments));
		return CliProgram.end(this.directory,
				CliProgram.start(this.directory, Map.of("EVENTING_DATABASE_URL", url), all));
	}

}
