package dev.eventing.sdk.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Properties;

import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Options for the database and the schema. */
final class DatabaseOptions {

	@Option(names = "--url", paramLabel = "URL", order = 100,
			description = "jdbc:postgresql://HOST/DB or postgresql://USER@HOST/DB; else EVENTING_DATABASE_URL.")
	private @Nullable String url;

	@Option(names = "--user", paramLabel = "NAME", order = 101, description = "Else EVENTING_DATABASE_USER.")
	private @Nullable String user;

	@Option(names = "--password", paramLabel = "PASSWORD", order = 102,
			description = "Prefer EVENTING_DATABASE_PASSWORD: other users can see arguments.")
	private @Nullable String password;

	@Option(names = "--schema", paramLabel = "NAME", order = 103,
			description = "Schema of the tables (${DEFAULT-VALUE}).", defaultValue = EventingSchema.DEFAULT_NAME)
	private String schema = EventingSchema.DEFAULT_NAME;

	/** One connection for the whole command; close it. */
	SingleConnectionDataSource open() {
		String url = orEnvironment(this.url, "EVENTING_DATABASE_URL");
		if (url == null) {
			throw new UsageException("No database is given. Consider --url, or EVENTING_DATABASE_URL.");
		}
		Properties properties = new Properties();
		properties.setProperty("ApplicationName", "eventing-cli");
		properties.setProperty("connectTimeout", "10");
		SingleConnectionDataSource dataSource = new SingleConnectionDataSource(jdbcUrl(url, properties), true);
		set(properties, "user", orEnvironment(this.user, "EVENTING_DATABASE_USER"));
		set(properties, "password", orEnvironment(this.password, "EVENTING_DATABASE_PASSWORD"));
		dataSource.setConnectionProperties(properties);
		return dataSource;
	}

	/**
	 * The schema of the tables.
	 * @throws dev.eventing.sdk.EventingException if its name is not a plain identifier
	 */
	EventingSchema schema() {
		return new EventingSchema(this.schema);
	}

	/** The schema's name as it was given, for errors. */
	String schemaName() {
		return this.schema;
	}

	/**
	 * Also accepts URLs in psql's form, which the driver does not support, with a user in
	 * the URL.
	 */
	private static String jdbcUrl(String url, Properties properties) {
		if (url.startsWith("jdbc:postgresql:")) {
			return url;
		}
		try {
			URI uri = new URI(url);
			if (uri.getHost() == null || !List.of("postgresql", "postgres").contains(uri.getScheme())) {
				throw unusable();
			}
			String userInfo = uri.getUserInfo();
			if (userInfo != null) {
				int colon = userInfo.indexOf(':');
				properties.setProperty("user", (colon < 0) ? userInfo : userInfo.substring(0, colon));
				if (colon >= 0) {
					properties.setProperty("password", userInfo.substring(colon + 1));
				}
			}
			String port = (uri.getPort() >= 0) ? ":" + uri.getPort() : "";
			String query = (uri.getRawQuery() != null) ? "?" + uri.getRawQuery() : "";
			return "jdbc:postgresql://" + uri.getHost() + port + uri.getRawPath() + query;
		}
		catch (URISyntaxException ex) {
			throw unusable();
		}
	}

	/** Does not quote the URL, which may contain a password. */
	private static UsageException unusable() {
		return new UsageException("The database's URL is not a PostgreSQL URL. "
				+ "Consider jdbc:postgresql://HOST:5432/DB or postgresql://USER@HOST:5432/DB.");
	}

	private static @Nullable String orEnvironment(@Nullable String option, String variable) {
		return (option != null) ? option : System.getenv(variable);
	}

	private static void set(Properties properties, String name, @Nullable String value) {
		if (value != null) {
			properties.setProperty(name, value);
		}
	}

}
