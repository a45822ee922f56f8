package dev.eventing.sdk.nats;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import dev.eventing.sdk.test.server.RawPublisher;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.SocketDataPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Deliveries are the same over whatever connection they come. */
class DeliveryPortIT {

	private static final char[] PASSWORD = "changeit".toCharArray();

	private static final String HOSTILE = "NATS/1.0\r\na b:\u00e9\r\n\r\n";

	private final String name = "port" + System.nanoTime();

	@Test
	void readsOverAPlainConnectionAndAfterItWasLost() throws Exception {
		readsAll(NatsOptions.of(TestServers.nats().url()));
	}

	@Test
	void readsOverAPortOfTheApplicationsOwn() throws Exception {
		readsAll(NatsOptions.of(TestServers.nats().url())
			.withCustomizer((builder) -> builder.dataPortType(SocketDataPort.class.getName())));
	}

	@Test
	void readsOverTls(@TempDir Path directory) throws Exception {
		KeyStore store = selfSigned(directory);
		Path certificate = pem(directory, "CERTIFICATE", store.getCertificate("nats").getEncoded());
		Path key = pem(directory, "PRIVATE KEY", store.getKey("nats", PASSWORD).getEncoded());
		String tls = "tls { cert_file: \"" + certificate + "\", key_file: \"" + key + "\" }\nallow_non_tls: true\n";
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(store);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, trust.getTrustManagers(), null);
		try (NatsServer server = NatsServer.start(NatsServerBinary.find(), tls)) {
			readsAll(NatsOptions.of(server.url()).withTls(context));
		}
	}

	@Test
	void readsOverAWebSocket() throws Exception {
		int port = freePort();
		String webSocket = "websocket { host: \"127.0.0.1\", port: " + port + ", no_tls: true }\n";
		try (NatsServer server = NatsServer.start(NatsServerBinary.find(), webSocket)) {
			assertThat(server.port()).isPositive();
			readsAll(NatsOptions.of("ws://127.0.0.1:" + port));
		}
	}

	/** Published messages come back unchanged, twice: again after a reconnection. */
	private void readsAll(NatsOptions options) throws Exception {
		try (NatsClient client = new NatsClient(options)) {
			Streams streams = new Streams(client,
					List.of(new StreamSpec(this.name, List.of(this.name + ".>"), 1, Duration.ofMillis(100))));
			streams.declareAll();
			List<RawEvent> sent = new ArrayList<>();
			for (int i = 0; i < 60; i++) {
				EventHeaders headers = (i % 3 == 0) ? EventHeaders.empty()
						: EventHeaders.of(Map.of("A", List.of("b" + i, ""), "Long", List.of("v".repeat(i * 1000))));
				sent.add(new RawEvent(this.name + ".x", headers,
						"\r\nMSG ".repeat(i * i).getBytes(StandardCharsets.UTF_8)));
			}
			try (RawEventPublisher publisher = new RawEventPublisher(client, streams)) {
				sent.forEach((event) -> publisher.publishAsync(event).join());
			}
			isReadAs(client, "first", sent);
			long generation = client.generation();
			client.connection().forceReconnect();
			await().until(() -> client.isConnected() && client.generation() > generation);
			isReadAs(client, "second", sent);
			client.management().deleteStream(this.name);
		}
	}

	private void isReadAs(NatsClient client, String durable, List<RawEvent> sent) throws Exception {
		DurableSpec spec = new DurableSpec(ProjectorId.of("test"), this.name, durable, Set.of(this.name + ".>"),
				Duration.ofSeconds(30), 1000, true);
		new Durables(client).reconcile(spec, null);
		try (DurablePull pull = new DurablePull(client, spec, () -> true)) {
			for (RawEvent expected : sent) {
				Delivery delivery = Objects.requireNonNull(pull.next(100, Patience.LONG), "nothing comes");
				assertThat(delivery.raw().subject()).isEqualTo(expected.subject());
				assertThat(delivery.raw().headers()).isEqualTo(expected.headers());
				assertThat(delivery.raw().payload()).isEqualTo(expected.payload());
				delivery.acknowledge();
			}
		}
		List<StreamTails.TailMessage> tail = tail(client);
		assertThat(tail).extracting(StreamTails.TailMessage::sequence)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, sent.size()).boxed().toList());
		assertThat(tail).extracting((message) -> message.headers().all("A"))
			.containsExactlyElementsOf(sent.stream().map((event) -> event.headers().all("A")).toList());
	}

	@Test
	void readsTheEndsOfStreamsAndSingleMessagesWithHeadersNobodyCanRead() {
		try (NatsClient client = new NatsClient(NatsOptions.of(TestServers.nats().url()));
				RawPublisher raw = new RawPublisher(TestServers.nats().url())) {
			for (RetentionPolicy retention : List.of(RetentionPolicy.Limits, RetentionPolicy.WorkQueue)) {
				String stream = this.name + retention;
				add(client, stream, retention);
				raw.publish(stream + ".x", HOSTILE, "body");
				raw.publish(stream + ".x", "NATS/1.0\r\na:b\r\n\r\n", "");
				List<StreamTails.TailMessage> tail = new ArrayList<>();
				new StreamTails(client).read(stream, 1, 2, tail::add);
				assertThat(tail).hasSize(2);
				assertThat(tail.get(0).headers().first(EventHeaders.MALFORMED)).isNotNull();
				assertThat(tail.get(1).headers().first("a")).isEqualTo("b");
				RawEvent single = new Advisories(client).message(stream, 1).orElseThrow().raw();
				assertThat(Base64.getDecoder().decode(single.headers().first(EventHeaders.MALFORMED)))
					.isEqualTo(HOSTILE.getBytes(StandardCharsets.ISO_8859_1));
				assertThat(single.payload()).asString().isEqualTo("body");
				assertThat(new Advisories(client).message(stream, 3)).isEmpty();
				DurableSpec spec = new DurableSpec(ProjectorId.of("test"), stream, "none", Set.of(stream + ".>"),
						Duration.ofSeconds(30), 10, true);
				assertThat(new Durables(client).firstBehind(spec, 0)).isNotNull();
				assertThat(new Durables(client).firstBehind(spec, 2)).isNull();
				delete(client, stream);
			}
			assertThat(client.generation()).as("one connection all along").isEqualTo(1);
		}
	}

	@Test
	void outlivesMessagesThatAreNoDeliveries() throws Exception {
		try (NatsClient client = new NatsClient(NatsOptions.of(TestServers.nats().url()));
				RawPublisher raw = new RawPublisher(TestServers.nats().url())) {
			var subscription = client.connection().subscribe(this.name);
			client.connection().flush(Patience.LONG);
			raw.publish(this.name, HOSTILE, "one");
			raw.publish(this.name, this.name + ".reply", HOSTILE, "two");
			raw.publish(this.name, "NATS/1.0\r\na:b\r\n\r\n", "three");
			for (String body : List.of("one", "two", "three")) {
				assertThat(subscription.nextMessage(Patience.LONG).getData()).asString().isEqualTo(body);
			}
			assertThat(client.generation()).isEqualTo(1);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private List<StreamTails.TailMessage> tail(NatsClient client) {
		List<StreamTails.TailMessage> tail = new ArrayList<>();
		new StreamTails(client).read(this.name, 1, 60, tail::add);
		return tail;
	}

	private static void add(NatsClient client, String stream, RetentionPolicy retention) {
		try {
			client.management()
				.addStream(StreamConfiguration.builder()
					.name(stream)
					.subjects(stream + ".>")
					.retentionPolicy(retention)
					.allowDirect(true)
					.build());
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void delete(NatsClient client, String stream) {
		try {
			client.management().deleteStream(stream);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static KeyStore selfSigned(Path directory) throws Exception {
		Path file = directory.resolve("keys.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "nats", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "SAN=ip:127.0.0.1",
				"-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", new String(PASSWORD))
			.redirectErrorStream(true)
			.start();
		assertThat(keytool.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (var in = Files.newInputStream(file)) {
			store.load(in, PASSWORD);
		}
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("ca", store.getCertificate("nats"));
		trusted.setKeyEntry("nats", store.getKey("nats", PASSWORD), PASSWORD, store.getCertificateChain("nats"));
		return trusted;
	}

	private static Path pem(Path directory, String what, byte[] content) throws IOException {
		String text = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
		return Files.writeString(directory.resolve(what.replace(' ', '-') + ".pem"),
				"-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
	}

}
