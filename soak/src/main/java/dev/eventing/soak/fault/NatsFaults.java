package dev.eventing.soak.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import dev.eventing.soak.Servers;
import dev.eventing.soak.node.Projected;
import io.nats.client.Connection;
import io.nats.client.Nats;

/** What other clients of NATS do. */
final class NatsFaults {

	private static final List<String> HEADERS = List.of("Bad Name: value", "no colon at all", "ce-source: caf\u00e9",
			"\u00e9: value");

	/** Whose durables the stream has. */
	static final List<Projected> STREAM_FED = List.of(Projected.STREAM_PLAIN, Projected.STREAM_DEFERRED,
			Projected.STREAM_BATCH, Projected.STREAM_UNORDERED, Projected.PUBLISHED_PLAIN);

	private final Servers servers;

	NatsFaults(Servers servers) {
		this.servers = servers;
	}

	void addTo(Map<FaultKind, Fault> faults) {
		faults.put(FaultKind.DURABLE_DELETED, this::deleteDurable);
		faults.put(FaultKind.HOSTILE_HEADERS, this::publishHostileHeaders);
	}

	private void deleteDurable(Step step) throws Exception {
		Connection connection = Nats.connect(this.servers.nats().url());
		try {
			connection.jetStreamManagement()
				.deleteConsumer(Servers.STREAM, step.one(STREAM_FED).projector() + "-consumer");
		}
		finally {
			connection.close();
		}
	}

	/** No client sends such headers, so they are written to the socket as they are. */
	private void publishHostileHeaders(Step step) throws IOException {
		byte[] headers = ("NATS/1.0\r\nce-type: moved\r\n" + step.one(HEADERS) + "\r\n\r\n")
			.getBytes(StandardCharsets.UTF_8);
		byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(),
				this.servers.nats().server(step.node()).port())) {
			OutputStream out = socket.getOutputStream();
			write(out, "CONNECT {\"verbose\":false,\"headers\":true}\r\n");
			write(out, "HPUB " + Servers.HOSTILE_SUBJECT + " " + headers.length + " "
					+ (headers.length + payload.length) + "\r\n");
			out.write(headers);
			out.write(payload);
			write(out, "\r\nPING\r\n");
			out.flush();
			awaitPong(socket);
		}
	}

	private static void awaitPong(Socket socket) throws IOException {
		socket.setSoTimeout(5000);
		String seen = "";
		for (int next = socket.getInputStream().read(); next >= 0; next = socket.getInputStream().read()) {
			seen += (char) next;
			if (seen.endsWith("PONG\r\n")) {
				return;
			}
		}
		throw new IOException("NATS ended the connection: " + seen);
	}

	private static void write(OutputStream out, String text) throws IOException {
		out.write(text.getBytes(StandardCharsets.US_ASCII));
	}

}
