package dev.eventing.sdk.autoconfigure;

import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * The servers of NATS and the credentials. A bean of this type, for example of a test
 * container, replaces the corresponding properties {@code eventing.nats.*}.
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

	/** The SSL bundle of the connection, or null: then the scheme of the URLs decides. */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

}
