package dev.eventing.sdk.nats;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

import io.nats.client.Nats;
import io.nats.client.Options;
import org.jspecify.annotations.Nullable;

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
 * @param jetStreamPrefix the beginning of the subjects of JetStream's API, which decides
 * about the domain
 */
public record NatsOptions(List<String> servers, String connectionName, Duration connectionTimeout,
		Duration reconnectWait, Consumer<Options.Builder> customizer, String jetStreamPrefix) {

	/** The prefix of the JetStream of the server that the client is connected to. */
	public static final String DEFAULT_JETSTREAM_PREFIX = "$JS.API";

	private static final Pattern OF_DOMAIN = Pattern.compile("\\$JS\\.([^.]+)\\.API");

	private static final Pattern DOMAIN = Pattern.compile("[^\\s.*>]+");

	private static final Pattern PREFIX = Pattern.compile("[^\\s.*>]+(\\.[^\\s.*>]+)*");

	/**
	 * Checks the servers and the prefix.
	 * @throws JetStreamConfigurationException if the servers are not valid URLs, or no
	 * subject can begin with the prefix
	 */
	public NatsOptions {
		servers = List.copyOf(servers);
		Servers.requireValid(servers);
		if (!PREFIX.matcher(jetStreamPrefix).matches()) {
			throw new JetStreamConfigurationException("The prefix '" + jetStreamPrefix
					+ "' of JetStream's API is empty, ends with a dot, or contains white space or a wildcard. Consider"
					+ " one such as '$JS.hub.API'.");
		}
	}

	/** Options for the JetStream of the server that the client is connected to. */
	public NatsOptions(List<String> servers, String connectionName, Duration connectionTimeout, Duration reconnectWait,
			Consumer<Options.Builder> customizer) {
		this(servers, connectionName, connectionTimeout, reconnectWait, customizer, DEFAULT_JETSTREAM_PREFIX);
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
		return new NatsOptions(this.servers, this.connectionName, this.connectionTimeout, this.reconnectWait, last,
				this.jetStreamPrefix);
	}

	/**
	 * The same options for the JetStream of a domain, such as that of the hub if the
	 * servers are leaf nodes.
	 * @throws JetStreamConfigurationException if no domain has that name
	 */
	public NatsOptions withJetStreamDomain(String domain) {
		if (!DOMAIN.matcher(domain).matches()) {
			throw new JetStreamConfigurationException("The JetStream domain '" + domain
					+ "' is empty, or contains a dot, white space or a wildcard. Consider the value of 'domain' in the"
					+ " block 'jetstream' of the server's configuration.");
		}
		return withJetStreamPrefix("$JS." + domain + ".API");
	}

	/**
	 * The same options for a JetStream whose API has another prefix, such as one that an
	 * account imports from another.
	 * @throws JetStreamConfigurationException if no subject can begin with the prefix
	 */
	public NatsOptions withJetStreamPrefix(String prefix) {
		return new NatsOptions(this.servers, this.connectionName, this.connectionTimeout, this.reconnectWait,
				this.customizer, prefix);
	}

	/**
	 * The domain of JetStream, or null: then it is that of the server, or the prefix does
	 * not show it.
	 */
	public @Nullable String jetStreamDomain() {
		Matcher domain = OF_DOMAIN.matcher(this.jetStreamPrefix);
		return domain.matches() ? domain.group(1) : null;
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

	/** The servers as they may be shown. */
	public static String withoutCredentials(List<String> servers) {
		return Servers.describe(servers);
	}

	/** Omits credentials. */
	@Override
	public String toString() {
		return "NatsOptions[servers=" + Servers.describe(this.servers) + ", connectionName=" + this.connectionName
				+ "]";
	}

}
