package dev.eventing.sdk.test.server;

import java.util.Locale;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * NATS with JetStream in a container, for Testcontainers. Use it like any other
 * container. It counts as started when JetStream answers.
 */
public class NatsContainer extends GenericContainer<NatsContainer> {

	/** Name of the official image. */
	public static final DockerImageName IMAGE = DockerImageName.parse("nats");

	static final String STORE = "/data";

	static final int PORT = 4222;

	/** A container of the newest release line. */
	public NatsContainer() {
		this(IMAGE.withTag("2.15"));
	}

	/**
	 * A container of another image.
	 * @param image the official image in another version, or a substitute declared
	 * compatible with it
	 */
	public NatsContainer(DockerImageName image) {
		super(image);
		image.assertCompatibleWith(IMAGE);
		withExposedPorts(PORT);
		withCommand("--jetstream", "--store_dir", STORE);
		// The server opens its port after JetStream has recovered its data.
		waitingFor(Wait.forLogMessage(".*Server is ready.*\\n", 1));
	}

	static DockerImageName image(Machine machine, NatsServerLine line) {
		return machine.setting("eventing.test.nats-image")
			.map((name) -> DockerImageName.parse(name).asCompatibleSubstituteFor(IMAGE))
			.orElseGet(() -> IMAGE.withTag((line == NatsServerLine.OLDEST) ? "2.10" : "2.15"));
	}

	/**
	 * Uses a port of the host that stays the same when the container is stopped and
	 * started.
	 */
	NatsContainer withHostPort(int port) {
		addFixedExposedPort(port, PORT);
		return this;
	}

	/** The URL to which clients connect. */
	public String url() {
		return String.format(Locale.ROOT, "nats://%s:%d", getHost(), getMappedPort(PORT));
	}

}
