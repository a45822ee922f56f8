package dev.eventing.sdk.test.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Speaks the protocol itself, so that it can publish what no client would. */
public final class RawPublisher implements AutoCloseable {

	private final Socket socket;

	private final OutputStream out;

	private final BufferedReader in;

	public RawPublisher(String url) {
		URI server = URI.create(url);
		try {
			this.socket = new Socket(server.getHost(), server.getPort());
			this.out = this.socket.getOutputStream();
			this.in = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.ISO_8859_1));
			send("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true}\r\n");
			flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Publishes a block of headers, one byte for each character, and a body. */
	public void publish(String subject, String block, String body) {
		publish(subject, "", block, body);
	}

	/** The same with a subject for answers. */
	public void publish(String subject, String reply, String block, String body) {
		send("HPUB " + subject + " " + reply + (reply.isEmpty() ? "" : " ") + block.length() + " "
				+ (block.length() + body.length()) + "\r\n" + block + body + "\r\n");
		flush();
	}

	private void send(String text) {
		try {
			this.out.write(text.getBytes(StandardCharsets.ISO_8859_1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Until the server has taken everything. */
	private void flush() {
		send("PING\r\n");
		try {
			for (String line = this.in.readLine(); !"PONG".equals(line); line = this.in.readLine()) {
				if (line == null || line.startsWith("-ERR")) {
					throw new IllegalStateException("The server says: " + line);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
