package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.springframework.util.FileSystemUtils;

/** A PostgreSQL server as a child process of this JVM. */
final class LocalPostgresServer implements PostgresServer {

	private static final int PORTS_TO_TRY = 5;

	private static final Duration INITIALISATION = Duration.ofSeconds(90);

	private static final Map<String, String> SETTINGS = Map.of("listen_addresses", "127.0.0.1",
			"unix_socket_directories", "", "max_connections", String.valueOf(PostgresEndpoint.CONNECTIONS),
			// Commits survive a killed server without it, because the operating system
			// has the data.
			"fsync", "off");

	private final Path directory;

	private final Path log;

	private final Watchdog watchdog;

	private final PostgresEndpoint endpoint;

	private final List<String> command;

	private ServerProcess process;

	private LocalPostgresServer(List<String> program, Path directory, int port, Watchdog watchdog) {
		this.directory = directory;
		this.log = directory.resolve("postgres.log");
		this.watchdog = watchdog;
		this.endpoint = new PostgresEndpoint("127.0.0.1", port);
		this.command = new ArrayList<>(program);
		this.command.addAll(List.of("-p", Integer.toString(port)));
		this.process = ServerProcess.start(this.command, this.log, watchdog, this::answers);
	}

	static LocalPostgresServer start(Map<String, String> settings) {
		PostgresBinaries binaries = PostgresBinaries.unpack(Machine.current());
		List<String> privileges = UnprivilegedUser.prefix();
		Path directory = DataDirectory.create("eventing-postgres-");
		// QUIT makes the postmaster end its children and release its shared memory.
		Watchdog watchdog = Watchdog.over(directory, "QUIT");
		try {
			initialise(privileges, binaries, directory);
			List<String> program = new ArrayList<>(privileges);
			program.addAll(List.of(binaries.program("postgres"), "-D", data(directory).toString()));
			Map<String, String> all = new LinkedHashMap<>(SETTINGS);
			all.putAll(settings);
			all.forEach((name, value) -> program.addAll(List.of("-c", name + "=" + value)));
			return start(program, directory, watchdog);
		}
		catch (RuntimeException ex) {
			watchdog.close();
			delete(directory);
			throw ex;
		}
	}

	private static LocalPostgresServer start(List<String> program, Path directory, Watchdog watchdog) {
		for (int left = PORTS_TO_TRY; true; left--) {
			try {
				return new LocalPostgresServer(program, directory, LoopbackPorts.free(), watchdog);
			}
			catch (ServerProcess.AddressTakenException ex) {
				if (left == 1) {
					throw ex;
				}
			}
		}
	}

	private static void initialise(List<String> privileges, PostgresBinaries binaries, Path directory) {
		List<String> line = new ArrayList<>(privileges);
		line.addAll(List.of(binaries.program("initdb"), "-D", data(directory).toString(), "-U", PostgresEndpoint.USER,
				"-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions"));
		try {
			new Command(line, directory, INITIALISATION).run();
		}
		catch (IOException ex) {
			throw new ServerFailedException("PostgreSQL's initdb failed: " + ex.getMessage(), ex);
		}
	}

	@Override
	public String jdbcUrl() {
		return this.endpoint.jdbcUrl();
	}

	@Override
	public String username() {
		return PostgresEndpoint.USER;
	}

	Path directory() {
		return this.directory;
	}

	long pid() {
		return this.process.pid();
	}

	@Override
	public int port() {
		return this.endpoint.port();
	}

	@Override
	public String createDatabase() {
		return this.endpoint.createDatabase("template1");
	}

	@Override
	public String createDatabase(String template) {
		return this.endpoint.createDatabase(PostgresEndpoint.database(template));
	}

	@Override
	public void dropDatabase(String jdbcUrl) {
		this.endpoint.dropDatabase(PostgresEndpoint.database(jdbcUrl));
	}

	@Override
	public DataSource dataSource(String jdbcUrl) {
		return PostgresEndpoint.dataSource(jdbcUrl);
	}

	@Override
	public void kill() {
		this.process.kill();
	}

	@Override
	public void stop() {
		// INT is PostgreSQL's fast shutdown; TERM would wait for every client to leave.
		this.process.end("INT");
	}

	@Override
	public void restart() {
		stop();
		this.process = ServerProcess.startAgain(this.command, this.log, this.watchdog, this::answers);
	}

	@Override
	public void close() {
		this.process.end("QUIT");
		this.watchdog.close();
		delete(this.directory);
	}

	/** Whether this server, and not another one on its port, accepts connections. */
	private boolean answers() {
		return this.endpoint.answers(data(this.directory).toString());
	}

	private static Path data(Path directory) {
		return directory.resolve("data");
	}

	private static void delete(Path directory) {
		try {
			FileSystemUtils.deleteRecursively(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
