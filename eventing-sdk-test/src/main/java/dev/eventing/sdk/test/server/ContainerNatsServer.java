package dev.eventing.sdk.test.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import org.testcontainers.utility.DockerImageName;

/** A NATS server in a container. */
final class ContainerNatsServer implements NatsServer {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final NatsContainer container;

	private final int port;

	private final NatsProbe probe;

	private ContainerNatsServer(NatsContainer container, int port, NatsProbe probe) {
		this.container = container;
		this.port = port;
		this.probe = probe;
	}

	static NatsServer start(DockerImageName image) {
		String name = "test-" + UUID.randomUUID();
		int port = LoopbackPorts.free();
		NatsContainer container = new NatsContainer(image).withHostPort(port);
		container.withCommand("--jetstream", "--store_dir", NatsContainer.STORE, "--name", name);
		container.start();
		ContainerNatsServer server = new ContainerNatsServer(container, port,
				new NatsProbe(container.getHost(), port, name));
		server.awaitAnswer();
		return server;
	}

	@Override
	public String url() {
		return this.container.url();
	}

	@Override
	public int port() {
		return this.port;
	}

	@Override
	public Path storeDirectory() {
		return Path.of(NatsContainer.STORE);
	}

	@Override
	public void kill() {
		docker().killContainerCmd(id()).exec();
	}

	@Override
	public void stop() {
		InspectContainerResponse.ContainerState state = docker().inspectContainerCmd(id()).exec().getState();
		if (Boolean.TRUE.equals(state.getPaused())) {
			// A paused server would not handle the stop signal.
			resume();
		}
		if (Boolean.TRUE.equals(state.getRunning())) {
			docker().stopContainerCmd(id()).exec();
		}
	}

	@Override
	public void restart() {
		stop();
		docker().startContainerCmd(id()).exec();
		awaitAnswer();
	}

	@Override
	public void pause() {
		docker().pauseContainerCmd(id()).exec();
	}

	@Override
	public void resume() {
		docker().unpauseContainerCmd(id()).exec();
	}

	@Override
	public void close() {
		this.container.stop();
	}

	private void awaitAnswer() {
		Deadline deadline = Deadline.in(PATIENCE);
		while (!this.probe.answers()) {
			if (!deadline.pause()) {
				throw new ServerFailedException("'" + this.container.getDockerImageName() + "' is not ready after "
						+ PATIENCE.toSeconds() + " s. Its log ends:\n" + this.container.getLogs());
			}
		}
	}

	private DockerClient docker() {
		return this.container.getDockerClient();
	}

	private String id() {
		return this.container.getContainerId();
	}

}
