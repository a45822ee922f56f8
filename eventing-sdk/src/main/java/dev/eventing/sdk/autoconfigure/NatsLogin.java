package dev.eventing.sdk.autoconfigure;

import java.util.Objects;

import dev.eventing.sdk.nats.NatsOptions;

import org.springframework.boot.ssl.SslBundle;

/** Adds the credentials of {@link NatsConnectionDetails} to the options. */
final class NatsLogin {

	private NatsLogin() {
	}

	static NatsOptions apply(NatsConnectionDetails details, NatsOptions options) {
		NatsOptions result = options;
		String username = details.getUsername();
		if (username != null) {
			result = result.withUser(username, Objects.requireNonNullElse(details.getPassword(), ""));
		}
		String token = details.getToken();
		if (token != null) {
			result = result.withToken(token);
		}
		if (details.getCredentialsFile() != null) {
			result = result.withCredentialsFile(details.getCredentialsFile());
		}
		SslBundle bundle = details.getSslBundle();
		if (bundle == null) {
			return result;
		}
		return result.withTls(BundleSslContext.of(() -> Objects.requireNonNullElse(details.getSslBundle(), bundle)));
	}

}
