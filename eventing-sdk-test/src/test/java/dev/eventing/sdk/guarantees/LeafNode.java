package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;

import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import org.awaitility.Awaitility;

/** A hub and a leaf node, each with its own JetStream. */
final class LeafNode implements AutoCloseable {

	static final String HUB = "hub";

	static final String LEAF = "leaf";

	private final NatsServer hub;

	private final NatsServer leaf;

	LeafNode(Path directory) {
		int port = freePort();
		NatsServerBinary binary = NatsServerBinary.find();
		this.hub = NatsServer.start(binary, """
				jetstream { store_dir: "%s", domain: %s }
				leafnodes { listen: "127.0.0.1:%d" }""".formatted(directory.resolve(HUB), HUB, port));
		this.leaf = NatsServer.start(binary, """
				jetstream { store_dir: "%s", domain: %s }
				leafnodes { reconnect: 1, remotes: [ { url: "nats-leaf://127.0.0.1:%d" } ] }"""
			.formatted(directory.resolve(LEAF), LEAF, port));
		awaitLink();
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	NatsServer hub() {
		return this.hub;
	}

	NatsServer leaf() {
		return this.leaf;
	}

	/** Waits until requests at the leaf node reach the hub. */
	void awaitLink() {
		Awaitility.await().ignoreExceptions().until(() -> streams(HUB) != null);
	}

	/** The streams of a domain, as a client of the leaf node sees them. */
	List<String> streams(String domain) {
		return at(domain, (connection, options) -> connection.jetStreamManagement(options).getStreamNames());
	}

	/** How many messages a stream of a domain holds. */
	long messages(String domain, String stream) {
		return at(domain,
				(connection, options) -> connection.jetStreamManagement(options)
					.getStreamInfo(stream)
					.getStreamState()
					.getMsgCount());
	}

	void addStream(String domain, String name, String subjects) {
		at(domain, (connection, options) -> connection.jetStreamManagement(options)
			.addStream(StreamConfiguration.builder().name(name).subjects(subjects).build()));
	}

	/** How many deliveries of a durable of the hub are not settled. */
	long unsettled(String stream, String durable) {
		return at(HUB,
				(connection, options) -> connection.jetStreamManagement(options)
					.getConsumerInfo(stream, durable)
					.getNumAckPending());
	}

	private <T> T at(String domain, Request<T> request) {
		try (Connection connection = Nats.connect(this.leaf.url())) {
			return request.send(connection, JetStreamOptions.builder().domain(domain).build());
		}
		catch (IOException | JetStreamApiException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.leaf.close();
		this.hub.close();
	}

	private interface Request<T> {

		T send(Connection connection, JetStreamOptions options) throws IOException, JetStreamApiException;

	}

}
