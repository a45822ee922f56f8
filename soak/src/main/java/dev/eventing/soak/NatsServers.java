package dev.eventing.soak;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.api.Subject;
import org.jspecify.annotations.Nullable;

/**
 * One NATS server, or a cluster of three, in which each message has a replica on each.
 */
public final class NatsServers implements AutoCloseable {

	static final int CLUSTER = 3;

	/** Above the ports of the kit's servers, and below the ports of clients. */
	private static final int LOWEST_PORT = 32_000;

	private static final int HIGHEST_PORT = 32_700;

	private final List<NatsServer> servers;

	private NatsServers(List<NatsServer> servers) {
		this.servers = List.copyOf(servers);
	}

	/**
	 * Starts one server.
	 * @param store the directory of its data; null if it may be anywhere
	 */
	static NatsServers one(@Nullable Path store) {
		NatsServer server = (store != null) ? NatsServer.start(NatsServerBinary.find(), store(store))
				: NatsServer.start();
		return new NatsServers(List.of(server));
	}

	/**
	 * Starts a cluster. None of its servers is ready before a second one runs, so they
	 * start side by side.
	 * @param store the directory of the first server's data; null if it may be anywhere
	 */
	static NatsServers cluster(@Nullable Path store) {
		NatsServerBinary binary = NatsServerBinary.find();
		List<Integer> ports = ports();
		List<CompletableFuture<NatsServer>> starts = new ArrayList<>();
		for (int number = 0; number < CLUSTER; number++) {
			String configuration = routes(ports, number) + ((number == 0 && store != null) ? store(store) : "");
			starts.add(CompletableFuture.supplyAsync(() -> NatsServer.start(binary, configuration),
					(task) -> new Thread(task, "nats-start").start()));
		}
		// Those that have started end with this JVM if another one has not.
		return new NatsServers(starts.stream().map(CompletableFuture::join).toList());
	}

	/** Clients know of the others by what they are given, which leads through proxies. */
	private static String routes(List<Integer> ports, int number) {
		String routes = ports.stream()
			.filter((port) -> !port.equals(ports.get(number)))
			.map((port) -> "\"nats://127.0.0.1:" + port + "\"")
			.collect(Collectors.joining(", "));
		return "cluster { name: \"soak\", listen: \"127.0.0.1:%d\", no_advertise: true, routes: [%s] }%n"
			.formatted(ports.get(number), routes);
	}

	/** The later of two settings counts. */
	private static String store(Path directory) {
		return "jetstream { store_dir: \"" + directory + "\" }\n";
	}

	private static List<Integer> ports() {
		int first = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
		List<Integer> ports = new ArrayList<>();
		for (int port = first; ports.size() < CLUSTER; port++) {
			ports.add(port);
		}
		return Collections.unmodifiableList(ports);
	}

	public List<NatsServer> all() {
		return this.servers;
	}

	/** One of them, by any number. */
	public NatsServer server(int number) {
		return this.servers.get(Math.floorMod(number, this.servers.size()));
	}

	public boolean isCluster() {
		return this.servers.size() > 1;
	}

	/** How many replicas a message has. */
	int replicas() {
		return this.servers.size();
	}

	String[] urls() {
		return this.servers.stream().map(NatsServer::url).toArray(String[]::new);
	}

	/** For a separate client, which connects to any of them. */
	public String url() {
		return String.join(",", urls());
	}

	/** How many messages a stream has of one subject. */
	long messages(String stream, String subject) throws Exception {
		Connection connection = Nats.connect(url());
		try {
			return connection.jetStreamManagement()
				.getStreamInfo(stream, StreamInfoOptions.filterSubjects(subject))
				.getStreamState()
				.getSubjects()
				.stream()
				.mapToLong(Subject::getCount)
				.sum();
		}
		finally {
			connection.close();
		}
	}

	@Override
	public void close() {
		this.servers.forEach(NatsServer::close);
	}

}
