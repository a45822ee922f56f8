package dev.eventing.sdk.nats;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import javax.net.ssl.SSLContext;

import io.nats.client.Nats;
import io.nats.client.Options;

/**
 * The options of the connection to NATS.
 *
 * @param servers server URLs, such as {@code nats://localhost:4222}
 * @param connectionName the connection's name, which the servers show
 * @param connectionTimeout how long one attempt to connect may take
 * @param reconnectWait the pause between two attempts to reconnect; their number has no
 * limit
 * @param customizer changes the client's options last, for credentials and TLS; its
 * settings for reconnecting are overridden, because a projector must survive any outage
 */
public record NatsOptions(List<String> servers, String connectionName, Duration connectionTimeout,
		Duration reconnectWait, Consumer<Options.Builder> customizer) {

	public NatsOptions {
		servers = List.copyOf(servers);
	}

	/**
	 * Options without credentials. The scheme of the URLs decides whether TLS is used.
	 */
	public NatsOptions(List<String> servers, String connectionName, Duration connectionTimeout,
			Duration reconnectWait) {
		this(servers, connectionName, connectionTimeout, reconnectWait, (builder) -> {
		});
	}

	/** These servers with default options. */
	public static NatsOptions of(String... servers) {
		return new NatsOptions(List.of(servers), "eventing-sdk", Duration.ofSeconds(2), Duration.ofMillis(250));
	}

	/** The same options with another customizer. */
	public NatsOptions withCustomizer(Consumer<Options.Builder> last) {
		return new NatsOptions(this.servers, this.connectionName, this.connectionTimeout, this.reconnectWait, last);
	}

	/** The same options with a user and a password. */
	public NatsOptions withUser(String username, String password) {
		return and((builder) -> builder.userInfo(username.toCharArray(), password.toCharArray()));
	}

	/** The same options with a token. */
	public NatsOptions withToken(String token) {
		return and((builder) -> builder.token(token.toCharArray()));
	}

	/**
	 * The same options with the JWT and the seed of a credentials file, which is read at
	 * each connect.
	 */
	public NatsOptions withCredentialsFile(Path file) {
		return and((builder) -> builder.authHandler(Nats.credentials(file.toString())));
	}

	/** The same options with TLS. */
	public NatsOptions withTls(SSLContext context) {
		return and((builder) -> builder.sslContext(context));
	}

	private NatsOptions and(Consumer<Options.Builder> next) {
		return withCustomizer(this.customizer.andThen(next));
	}

	/** Omits credentials. */
	@Override
	public String toString() {
		return "NatsOptions[servers=" + Servers.describe(this.servers) + ", connectionName=" + this.connectionName
				+ "]";
	}

}
