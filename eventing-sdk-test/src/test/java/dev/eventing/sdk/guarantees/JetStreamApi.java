package dev.eventing.sdk.guarantees;

import java.io.IOException;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;

/** The JetStream API of a server that may be slow to answer. */
final class JetStreamApi {

	private static final JetStreamOptions REQUESTS = JetStreamOptions.builder().requestTimeout(World.PATIENT).build();

	private final String url;

	JetStreamApi(String url) {
		this.url = url;
	}

	/** Waits for a server that is slow to answer. */
	static Connection connect(String url) throws IOException, InterruptedException {
		return Nats.connect(Options.builder().server(url).connectionTimeout(World.PATIENT).build());
	}

	/** Makes a call on a connection that is closed afterwards. */
	<T> T call(Call<T> call) {
		try {
			Connection connection = connect(this.url);
			try {
				return call.on(connection.jetStreamManagement(REQUESTS));
			}
			finally {
				connection.close();
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Whether the server has this version or a newer one. */
	boolean isServerOf(String version) {
		try (Connection connection = connect(this.url)) {
			return connection.getServerInfo().isSameOrNewerThanVersion(version);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A call to the JetStream API. */
	interface Call<T> {

		T on(JetStreamManagement management) throws Exception;

	}

}
