package dev.eventing.sdk.test.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Checks whether a certain server runs and its JetStream answers. Uses the protocol
 * directly, because a client library would retry, log and keep threads.
 */
record NatsProbe(String host, int port, String serverName) {

	private static final int TIMEOUT_MILLIS = 1_000;

	boolean answers() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(this.host, this.port), TIMEOUT_MILLIS);
			socket.setSoTimeout(TIMEOUT_MILLIS);
			BufferedReader in = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
			String info = line(in);
			if (!info.contains("\"server_name\":\"" + this.serverName + "\"")) {
				return false;
			}
			if (info.contains("\"auth_required\":true") || info.contains("\"tls_required\":true")) {
				// A server that requires credentials or TLS runs, but cannot be probed
				// further.
				return info.contains("\"jetstream\":true");
			}
			return jetStreamAnswers(in, socket.getOutputStream());
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static boolean jetStreamAnswers(BufferedReader in, OutputStream out) throws IOException {
		out.write("""
				CONNECT {"verbose":false}\r
				SUB probe 1\r
				PUB $JS.API.INFO probe 0\r
				\r
				""".getBytes(StandardCharsets.UTF_8));
		out.flush();
		String line = line(in);
		while (!line.startsWith("MSG")) {
			if (line.isEmpty() || line.startsWith("-ERR")) {
				return false;
			}
			line = line(in);
		}
		String answer = line(in);
		return answer.contains("account_info_response") && !answer.contains("\"error\"");
	}

	private static String line(BufferedReader in) throws IOException {
		String line = in.readLine();
		return (line != null) ? line : "";
	}

}
