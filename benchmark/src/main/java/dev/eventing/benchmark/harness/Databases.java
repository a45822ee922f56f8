package dev.eventing.benchmark.harness;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.benchmark.sdk.StoredChanges;
import dev.eventing.migrations.EventingMigrations;
import dev.eventing.sdk.test.server.PostgresServer;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Databases for the rounds. They are emptied before each and not created again, which
 * would have hundreds of files written to the disk.
 */
final class Databases {

	private static final String PROJECTORS = "projectors";

	private static final String RELAYS = "relays";

	private static final String REBUILDS = "rebuilds";

	private static final String LATER_REBUILDS = "later_rebuilds";

	private final PostgresServer server;

	private final JdbcTemplate administration;

	Databases(PostgresServer server) {
		this.server = server;
		this.administration = jdbc(server.jdbcUrl());
		create(RELAYS);
		createForProjectors(PROJECTORS);
		createForProjectors(REBUILDS);
		createForProjectors(LATER_REBUILDS);
	}

	/** Creates a database with the SDK's tables and the read model; its JDBC URL. */
	String createForProjectors(String name) {
		create(name);
		JdbcTemplate jdbc = jdbc(url(name));
		jdbc.execute(EventingMigrations.sql("eventing"));
		jdbc.execute(ReadModel.CREATE);
		return url(name);
	}

	private void create(String name) {
		this.administration.execute("create database " + name);
	}

	/** A database with nothing in it; its JDBC URL. */
	String empty() {
		JdbcTemplate jdbc = jdbc(url(RELAYS));
		dropSchemas(jdbc, List.of());
		jdbc.execute("create schema public");
		return url(RELAYS);
	}

	/** A database with the SDK's empty tables and the read model; its JDBC URL. */
	String forProjector() {
		JdbcTemplate jdbc = jdbc(url(PROJECTORS));
		clean(jdbc, Set.of());
		resetReadModel(jdbc);
		return url(PROJECTORS);
	}

	/**
	 * A database with the SDK's tables, an empty read model, and these events in the
	 * event store, which stay for the next round of as many.
	 * @param version the version of their type
	 */
	String forRebuild(AccountChanges changes, int version) throws SQLException {
		String name = (version == 1) ? REBUILDS : LATER_REBUILDS;
		JdbcTemplate jdbc = jdbc(url(name));
		clean(jdbc, Set.of("events", "streams"));
		jdbc.execute("truncate account");
		if (!Objects.equals(jdbc.queryForObject("select count(*) from eventing.events", Integer.class),
				changes.events())) {
			jdbc.execute("truncate eventing.events, eventing.streams restart identity");
			StoredChanges.fill(url(name), changes, version);
			jdbc.execute("vacuum analyze eventing.events");
		}
		return url(name);
	}

	/** Leaves what a fresh database has, and these tables of the SDK as they are. */
	private static void clean(JdbcTemplate jdbc, Set<String> but) {
		// An inline projector made it, and others would pay for it.
		jdbc.execute("drop trigger if exists eventing_inline on eventing.events");
		dropSchemas(jdbc, List.of("public", "eventing"));
		names(jdbc,
				"select quote_ident(tablename) from pg_tables where schemaname = 'public' and tablename <> 'account'")
			.forEach((table) -> jdbc.execute("drop table " + table + " cascade"));
		List<String> tables = names(jdbc, "select tablename from pg_tables where schemaname = 'eventing'").stream()
			.filter((table) -> !but.contains(table))
			.map((table) -> "eventing." + table)
			.toList();
		jdbc.execute("truncate " + String.join(", ", tables) + " restart identity");
	}

	/** All accounts at the start. */
	static void resetReadModel(JdbcTemplate jdbc) {
		jdbc.execute("truncate account");
		jdbc.execute(ReadModel.FILL.formatted(AccountChanges.ACCOUNTS));
		jdbc.execute("vacuum analyze account");
	}

	private static void dropSchemas(JdbcTemplate jdbc, List<String> but) {
		names(jdbc, "select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'")
			.stream()
			.filter((schema) -> !but.contains(schema))
			.forEach((schema) -> jdbc.execute("drop schema \"" + schema + "\" cascade"));
	}

	private static List<String> names(JdbcTemplate jdbc, String sql) {
		return jdbc.queryForList(sql, String.class);
	}

	/** Writes all that is dirty, so that no round pays for another's writes. */
	void settle() {
		this.administration.execute("checkpoint");
	}

	String version() {
		return String.valueOf(this.administration.queryForObject("show server_version", String.class));
	}

	String driverVersion() {
		return String.valueOf(this.administration
			.execute((ConnectionCallback<String>) (connection) -> connection.getMetaData().getDriverVersion()));
	}

	private String url(String database) {
		return this.server.jdbcUrl().replace("/postgres?", "/" + database + "?");
	}

	/** Opens a connection for each statement. */
	JdbcTemplate jdbc(String jdbcUrl) {
		return new JdbcTemplate(this.server.dataSource(jdbcUrl));
	}

}
