package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import dev.eventing.sdk.guarantees.BrowserClient.Stream;
import dev.eventing.sdk.liveview.LiveVersion;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A client that does not read its stream: what that costs, and what it gets later. */
class G15SlowBrowserIT {

	private static final int CHANGES = 2_000;

	/** With its state 40 MB are pushed, far more than sockets hold. */
	private static final String TEXT = "x".repeat(20_000);

	@Test
	void getsTheLatestStateAndDelaysNobody() throws IOException {
		try (BrowserApplication application = BrowserApplication.start();
				Socket slow = open(application.port);
				Stream fast = application.client().open("slow", "public-a")) {
			fast.awaitId("1.0");
			await().until(() -> application.connections.connections() == 2);
			for (int n = 1; n <= CHANGES; n++) {
				String json = "{\"n\":" + n + ",\"text\":\"" + TEXT + "\"}";
				if (n % 2 == 0) {
					application.views.change("acme", "slow", "public-a", json, json);
				}
				else {
					application.views.become("acme", "slow", "public-a", new LiveVersion(1, n), json);
				}
				if (n % 10 == 0) {
					fast.awaitId("1." + n);
				}
			}
			assertThat(application.connections.connections()).isEqualTo(2);
			long read = readUntil(slow.getInputStream(), "\"version\":\"1." + CHANGES + "\"");
			assertThat(read).as("bytes that waited for the slow client, of %d", CHANGES * TEXT.length())
				.isLessThan(CHANGES * TEXT.length() / 3);
			assertThat(fast.frames()).hasSizeGreaterThan(CHANGES / 20);
		}
	}

	private static Socket open(int port) throws IOException {
		Socket socket = new Socket();
		socket.setReceiveBufferSize(4 << 10);
		socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
		socket.setSoTimeout(60_000);
		socket.getOutputStream()
			.write("GET /eventing/live/events?view=slow&key=public-a HTTP/1.1\r\nHost: localhost\r\n\r\n"
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	/** The number of bytes up to that text. */
	private static long readUntil(InputStream input, String text) throws IOException {
		byte[] buffer = new byte[16 << 10];
		String rest = "";
		long read = 0;
		for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
			read += length;
			String all = rest + new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
			if (all.contains(text)) {
				return read;
			}
			rest = all.substring(Math.max(0, all.length() - text.length()));
		}
		throw new IOException("The stream ended after " + read + " bytes, before the latest state.");
	}

}
