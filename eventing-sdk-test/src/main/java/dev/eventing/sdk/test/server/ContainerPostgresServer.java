package dev.eventing.sdk.test.server;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import com.github.dockerjava.api.DockerClient;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** A PostgreSQL server in a container. */
final class ContainerPostgresServer implements PostgresServer {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final DockerImageName IMAGE = DockerImageName.parse("postgres");

	/** Docker's 64 MB are not enough for parallel queries. */
	private static final long SHARED_MEMORY = 512L << 20;

	private final PostgreSQLContainer container;

	private final PostgresEndpoint endpoint;

	private ContainerPostgresServer(PostgreSQLContainer container, PostgresEndpoint endpoint) {
		this.container = container;
		this.endpoint = endpoint;
	}

	static PostgresServer start(DockerImageName image) {
		int port = LoopbackPorts.free();
		PostgreSQLContainer container = new PostgreSQLContainer(image).withUsername(PostgresEndpoint.USER)
			.withDatabaseName("postgres");
		container.setPortBindings(List.of(port + ":" + PostgreSQLContainer.POSTGRESQL_PORT));
		container.withEnv("POSTGRES_HOST_AUTH_METHOD", "trust");
		container.withSharedMemorySize(SHARED_MEMORY);
		container.withCommand("postgres", "-c", "max_connections=" + PostgresEndpoint.CONNECTIONS, "-c", "fsync=off");
		container.start();
		return new ContainerPostgresServer(container, new PostgresEndpoint(container.getHost(), port));
	}

	static DockerImageName image(Machine machine) {
		return machine.setting("eventing.test.postgres-image")
			.map((name) -> DockerImageName.parse(name).asCompatibleSubstituteFor(IMAGE))
			.orElseGet(() -> IMAGE.withTag("18"));
	}

	@Override
	public String jdbcUrl() {
		return this.endpoint.jdbcUrl();
	}

	@Override
	public String username() {
		return PostgresEndpoint.USER;
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
		docker().killContainerCmd(id()).exec();
	}

	@Override
	public void stop() {
		if (Boolean.TRUE.equals(docker().inspectContainerCmd(id()).exec().getState().getRunning())) {
			// The image's stop signal is SIGINT: a fast shutdown.
			docker().stopContainerCmd(id()).exec();
		}
	}

	@Override
	public void restart() {
		stop();
		docker().startContainerCmd(id()).exec();
		Deadline deadline = Deadline.in(PATIENCE);
		while (!this.endpoint.answers(null)) {
			if (!deadline.pause()) {
				throw new ServerFailedException("'" + this.container.getDockerImageName() + "' is not ready after "
						+ PATIENCE.toSeconds() + " s. Its log ends:\n" + this.container.getLogs());
			}
		}
	}

	@Override
	public void close() {
		this.container.stop();
	}

	private DockerClient docker() {
		return this.container.getDockerClient();
	}

	private String id() {
		return this.container.getContainerId();
	}

}
