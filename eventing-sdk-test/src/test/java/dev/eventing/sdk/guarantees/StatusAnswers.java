package dev.eventing.sdk.guarantees;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers each request for deliveries with a status, as a future server might: a client
 * without a library, because none publishes a status. The server's own answers come
 * beside it.
 */
final class StatusAnswers implements AutoCloseable {

	private static final int REPLY_TO = 3;

	private final Socket socket;

	private final OutputStream out;

	private final AtomicInteger requests = new AtomicInteger();

	private final String status;

	/**
	 * Answers from now on.
	 * @param durable the stream and the durable, as in the subject of a request
	 * @param status code and text
	 */
	StatusAnswers(String natsUrl, String durable, String status) {
		this.status = "NATS/1.0 " + status + "\r\n\r\n";
		URI server = URI.create(natsUrl);
		try {
			this.socket = new Socket(server.getHost(), server.getPort());
			this.out = this.socket.getOutputStream();
			BufferedReader in = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.US_ASCII));
			in.readLine(); // what the server is
			write("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true}\r\n" //
					+ "SUB $JS.API.CONSUMER.MSG.NEXT." + durable + " 1\r\nPING\r\n");
			in.readLine(); // it has the subscription
			Thread thread = new Thread(() -> answer(in), "status-answers");
			thread.setDaemon(true);
			thread.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** How many requests were answered. */
	int requests() {
		return this.requests.get();
	}

	private void answer(BufferedReader in) {
		try {
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				if (line.startsWith("MSG ")) {
					write("HPUB " + line.split(" ", -1)[REPLY_TO] + " " + this.status.length() + " "
							+ this.status.length() + "\r\n" + this.status + "\r\n");
					this.requests.incrementAndGet();
				}
				else if (line.equals("PING")) {
					write("PONG\r\n");
				}
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void write(String text) throws IOException {
		this.out.write(text.getBytes(StandardCharsets.US_ASCII));
		this.out.flush();
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
