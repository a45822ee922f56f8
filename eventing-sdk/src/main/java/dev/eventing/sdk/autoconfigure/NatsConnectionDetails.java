package dev.eventing.sdk.autoconfigure;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where NATS is and how to log in. A bean of this type takes the place of the properties
 * {@code eventing.nats.*} that say the same, such as one that knows a test container.
 */
public interface NatsConnectionDetails extends ConnectionDetails {

	/** URLs of the servers of one cluster. */
	List<String> getServers();

	/** User to log in with, together with {@link #getPassword()}. */
	default @Nullable String getUsername() {
		return null;
	}

	/** Password to log in with. */
	default @Nullable String getPassword() {
		return null;
	}

	/** Token to log in with. */
	default @Nullable String getToken() {
		return null;
	}

	/** File with the JWT and the seed to log in with. */
	default @Nullable Path getCredentialsFile() {
		return null;
	}

	/** What to secure the connection with, or null: the scheme of the URLs decides. */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

}
