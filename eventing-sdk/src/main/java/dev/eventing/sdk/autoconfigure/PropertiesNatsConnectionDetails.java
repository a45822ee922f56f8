package dev.eventing.sdk.autoconfigure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.eventing.sdk.autoconfigure.EventingProperties.Nats;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/** The connection details in the properties {@code eventing.nats.*}. */
final class PropertiesNatsConnectionDetails implements NatsConnectionDetails {

	private final Nats properties;

	private final @Nullable SslBundles sslBundles;

	PropertiesNatsConnectionDetails(Nats properties, @Nullable SslBundles sslBundles) {
		this.properties = properties;
		this.sslBundles = sslBundles;
		requireBundle(unlessEmpty(properties.ssl().bundle()), sslBundles);
		MutuallyExclusiveConfigurationPropertiesException.throwIfMultipleNonNullValuesIn((entries) -> {
			entries.put("eventing.nats.username", getUsername());
			entries.put("eventing.nats.token", getToken());
			entries.put("eventing.nats.credentials-file", properties.credentialsFile());
		});
		// If it were found missing later, the error would look as if no server answered.
		Path file = properties.credentialsFile();
		if (file != null && !Files.isReadable(file)) {
			throw new InvalidConfigurationPropertyValueException("eventing.nats.credentials-file", file,
					"There is no file of that name, or it cannot be read.");
		}
	}

	private static void requireBundle(@Nullable String name, @Nullable SslBundles bundles) {
		if (name == null) {
			return;
		}
		if (bundles == null) {
			throw new InvalidConfigurationPropertyValueException("eventing.nats.ssl.bundle", name,
					"The application has no SSL bundles.");
		}
		bundles.getBundle(name);
		// Else Boot warns at each reload that something may not follow it.
		bundles.addBundleUpdateHandler(name, (updated) -> {
			// each connection asks for the newest one
		});
	}

	@Override
	public List<String> getServers() {
		return this.properties.servers();
	}

	@Override
	public @Nullable String getUsername() {
		return unlessEmpty(this.properties.username());
	}

	@Override
	public @Nullable String getPassword() {
		return this.properties.password();
	}

	@Override
	public @Nullable String getToken() {
		return unlessEmpty(this.properties.token());
	}

	/** A variable may be there without a value. */
	private static @Nullable String unlessEmpty(@Nullable String value) {
		return StringUtils.hasLength(value) ? value : null;
	}

	@Override
	public @Nullable Path getCredentialsFile() {
		return this.properties.credentialsFile();
	}

	/** The newest one of its name, as after a reload of its files. */
	@Override
	public @Nullable SslBundle getSslBundle() {
		String name = unlessEmpty(this.properties.ssl().bundle());
		SslBundles bundles = this.sslBundles;
		return (name != null && bundles != null) ? bundles.getBundle(name) : null;
	}

}
