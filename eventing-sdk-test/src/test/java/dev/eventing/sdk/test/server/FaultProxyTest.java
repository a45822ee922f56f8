package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class FaultProxyTest {

	private ServerSocket echo;

	private FaultProxy proxy;

	@BeforeEach
	void startEcho() throws IOException {
		this.echo = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
		Thread thread = new Thread(this::echo);
		thread.setDaemon(true);
		thread.start();
		this.proxy = FaultProxy.to(this.echo.getLocalPort());
	}

	@AfterEach
	void stop() throws IOException {
		this.proxy.close();
		this.echo.close();
	}

	@Test
	void passesBytesBothWays() throws IOException {
		try (Socket client = connect()) {
			assertThat(echoed(client, 7)).isEqualTo(7);
		}
	}

	@Test
	void breaksOpenConnectionsWhenCut() throws IOException {
		try (Socket client = connect()) {
			assertThat(echoed(client, 7)).isEqualTo(7);
			this.proxy.cut();
			assertThatIOException().isThrownBy(() -> readOrFail(client));
		}
	}

	@Test
	void letsNobodyThroughUntilRestored() throws IOException {
		this.proxy.cut();
		assertThatIOException().isThrownBy(() -> {
			try (Socket client = connect()) {
				readOrFail(client);
			}
		});
		this.proxy.restore();
		try (Socket client = connect()) {
			assertThat(echoed(client, 9)).isEqualTo(9);
		}
	}

	private Socket connect() throws IOException {
		Socket client = new Socket(InetAddress.getLoopbackAddress(), this.proxy.port());
		client.setSoTimeout((int) Patience.LONG.toMillis());
		return client;
	}

	private static int echoed(Socket client, int value) throws IOException {
		client.getOutputStream().write(value);
		return client.getInputStream().read();
	}

	private static void readOrFail(Socket client) throws IOException {
		if (client.getInputStream().read() < 0) {
			throw new IOException("end of stream");
		}
	}

	private void echo() {
		while (!this.echo.isClosed()) {
			try (Socket client = this.echo.accept()) {
				client.getInputStream().transferTo(client.getOutputStream());
			}
			catch (IOException ex) {
				// The client was cut off, or the test is over.
			}
		}
	}

}
