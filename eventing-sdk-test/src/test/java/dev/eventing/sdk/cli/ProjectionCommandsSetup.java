package dev.eventing.sdk.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.cli.CliProgram.Run;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.ledger.CheckRequests;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.JdbcTemplate;

/** A database with a projector that a node owns, and the program as users start it. */
abstract class ProjectionCommandsSetup {

	static final PostgresServer POSTGRES = TestServers.postgres();

	static final ReconciliationCheck TOTALS = new ReconciliationCheck("order-totals", "orders", null);

	static final ReconciliationCheck STATES = new ReconciliationCheck("order-states", "orders", null);

	static String url;

	static JdbcTemplate jdbc;

	static CheckLedger ledger;

	static CheckRequests requests;

	@AutoClose
	static ReportingNodes nodes;

	@TempDir
	Path directory;

	@BeforeAll
	static void createDatabase() throws Exception {
		url = POSTGRES.createDatabase();
		jdbc = new JdbcTemplate(POSTGRES.dataSource(url));
		new SchemaInitializer(POSTGRES.dataSource(url), EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
		nodes = new ReportingNodes(jdbc);
		ledger = new CheckLedger(POSTGRES.dataSource(url), EventingSchema.defaults());
		requests = new CheckRequests(POSTGRES.dataSource(url), EventingSchema.defaults());
	}

	/** One that a node owns, and one that no node runs. */
	@BeforeEach
	void addProjectors() {
		jdbc.execute(
				"""
						truncate eventing.projector_nodes, eventing.projector_controls, eventing.projection_audit,
						         eventing.projector_checkpoints, eventing.projection_requests, eventing.projections,
						         eventing.projection_checks, eventing.projection_check_requests,
						         eventing.leases;
						insert into eventing.projector_nodes (projector_name, node, state) values ('orders', 'shop:1/a', 'RUNNING');
						insert into eventing.projector_checkpoints (projector_name, position) values ('orders', 35), ('old', 3);
						insert into eventing.leases values ('projector/orders', 'shop:1/a', 1, now(), now() + interval '1 h')""");
	}

	Process start(String... arguments) throws Exception {
		List<String> all = new ArrayList<>(List.of("projection"));
		all.addAll(List.of(arguments));
		return CliProgram.start(this.directory, Map.of("EVENTING_DATABASE_URL", url), all);
	}

	Run projection(String... arguments) throws Exception {
		return CliProgram.end(this.directory, start(arguments));
	}

}
