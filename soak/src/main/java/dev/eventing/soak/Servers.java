package dev.eventing.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.config.DatabaseOperations;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.soak.node.NodeApplication;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The servers, the database with its tables, and the nodes. All of it is this run's own,
 * and ends with it.
 */
public final class Servers implements AutoCloseable {

	/** The stream that has all events. */
	public static final String STREAM = "SOAK";

	/** The subject of the unreadable messages. */
	public static final String HOSTILE_SUBJECT = "told.hostile.moved";

	/** Where the kit's servers have their data, if it is set. */
	private static final String DIRECTORY = "eventing.test.directory";

	private final Equipment equipment;

	private final NatsServers nats;

	private final PostgresServer postgres;

	private final String jdbcUrl;

	private final Path logs;

	private final List<Node> nodes = new ArrayList<>();

	private final List<String> complaints = new CopyOnWriteArrayList<>();

	/**
	 * Starts the servers; the nodes are yet to be started.
	 * @param logs an existing directory for what the nodes print
	 */
	Servers(int nodes, Equipment equipment, Path logs) throws IOException {
		this.equipment = equipment;
		this.logs = logs;
		Path natsStore = equipment.natsDisk().map(SmallDisk::directory).orElse(null);
		this.nats = equipment.isCluster() ? NatsServers.cluster(natsStore) : NatsServers.one(natsStore);
		this.postgres = postgres(equipment);
		this.jdbcUrl = this.postgres.createDatabase();
		new SchemaInitializer(this.postgres.dataSource(this.jdbcUrl), EventingSchema.defaults(), SchemaMode.MIGRATE)
			.initialize();
		admin().execute(NodeApplication.TABLES);
		for (int number = 0; number < nodes; number++) {
			Path log = logs.resolve("node-" + number + ".log");
			Files.deleteIfExists(log);
			List<FaultProxy> toNats = this.nats.all().stream().map((server) -> FaultProxy.to(server.port())).toList();
			this.nodes.add(new Node(number, toNats, FaultProxy.to(this.postgres.port()), database(), log));
		}
	}

	private static PostgresServer postgres(Equipment equipment) {
		String before = System.getProperty(DIRECTORY);
		equipment.postgresDisk().ifPresent((disk) -> System.setProperty(DIRECTORY, disk.directory().toString()));
		try {
			return PostgresServer.start();
		}
		finally {
			if (before != null) {
				System.setProperty(DIRECTORY, before);
			}
			else {
				System.clearProperty(DIRECTORY);
			}
		}
	}

	/** What this machine has for some faults. */
	public Equipment equipment() {
		return this.equipment;
	}

	/** The directory for what nodes and other programs print. */
	public Path logs() {
		return this.logs;
	}

	public NatsServers nats() {
		return this.nats;
	}

	public PostgresServer postgres() {
		return this.postgres;
	}

	public List<Node> nodes() {
		return List.copyOf(this.nodes);
	}

	/** The JDBC URL, past all proxies. */
	String jdbcUrl() {
		return this.jdbcUrl;
	}

	/** The database's name. */
	public String database() {
		return this.jdbcUrl.replaceAll(".*/|\\?.*", "");
	}

	/** Past all proxies, a connection for each call. */
	public JdbcTemplate admin() {
		return new JdbcTemplate(this.postgres.dataSource(adminUrl()));
	}

	/** For the sessions that control the others, whatever the database's settings are. */
	private String adminUrl() {
		return this.jdbcUrl + (this.jdbcUrl.contains("?") ? "&" : "?")
				+ "options=-c%20statement_timeout=0%20-c%20lock_timeout=0%20-c%20default_transaction_read_only=off"
				+ "&socketTimeout=20&ApplicationName=soak-admin";
	}

	/** A session past all proxies. */
	public Connection connect() throws SQLException {
		return DriverManager.getConnection(adminUrl());
	}

	/** What operators do. */
	public DatabaseOperations operators() {
		return DatabaseOperations.of(this.postgres.dataSource(adminUrl()), EventingSchema.defaults());
	}

	/** Something went wrong that nothing else will show. */
	public void complain(String words) {
		this.complaints.add(words);
	}

	List<String> complaints() {
		return this.complaints;
	}

	/**
	 * The number of unreadable messages in the stream. A cluster may have lost some while
	 * it had no leader, because the publisher does not wait until they are stored.
	 */
	long hostileMessages() throws Exception {
		return this.nats.messages(STREAM, HOSTILE_SUBJECT);
	}

	@Override
	public void close() {
		this.nodes.forEach(Node::close);
		this.postgres.close();
		this.nats.close();
	}

}
