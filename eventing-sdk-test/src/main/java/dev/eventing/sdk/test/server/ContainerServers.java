package dev.eventing.sdk.test.server;

import java.util.concurrent.TimeUnit;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/**
 * Servers in containers of the configured images. Loaded only if Testcontainers is
 * present.
 */
final class ContainerServers {

	private static final Logger log = LoggerFactory.getLogger(ContainerServers.class);

	private static final int PULL_SECONDS = 180;

	private ContainerServers() {
	}

	static NatsServer nats() {
		Machine machine = Machine.current();
		return ContainerNatsServer.start(NatsContainer.image(machine, NatsServerLine.of(machine)));
	}

	static PostgresServer postgres() {
		return postgres(ContainerPostgresServer.image(Machine.current()));
	}

	static PostgresServer postgres(DockerImageName image) {
		try {
			makeAvailable(image);
		}
		catch (DockerException | DockerClientException ex) {
			log.warn("Image '{}' is not available: {}. The embedded PostgreSQL is started instead.", image,
					String.valueOf(ex.getMessage()).strip());
			return PostgresServer.start();
		}
		return ContainerPostgresServer.start(image);
	}

	/**
	 * Makes one attempt only: Testcontainers would retry for minutes if no registry
	 * answers.
	 */
	private static void makeAvailable(DockerImageName image) {
		DockerClient docker = DockerClientFactory.lazyClient();
		String name = image.asCanonicalNameString();
		try {
			docker.inspectImageCmd(name).exec();
		}
		catch (NotFoundException missing) {
			try {
				PullImageResultCallback pull = docker.pullImageCmd(name).exec(new PullImageResultCallback());
				if (!pull.awaitCompletion(PULL_SECONDS, TimeUnit.SECONDS)) {
					throw new DockerClientException("not pulled within " + PULL_SECONDS + " s", missing);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new DockerClientException("interrupted", ex);
			}
		}
	}

}
