package dev.eventing.sdk.test.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The environment that the search for servers reads, in one place, so that a test can use
 * an artificial one.
 */
record Machine(Map<String, String> properties, Map<String, String> environment, Path aptSources, Path osRelease,
		URI releases) {

	Machine {
		properties = Map.copyOf(properties);
		environment = Map.copyOf(environment);
	}

	static Machine current() {
		Map<String, String> properties = new HashMap<>();
		Properties system = System.getProperties();
		system.stringPropertyNames().forEach((name) -> properties.put(name, system.getProperty(name, "")));
		return new Machine(properties, System.getenv(), Path.of("/etc/apt"), Path.of("/etc/os-release"),
				URI.create("https://github.com/nats-io/nats-server/releases/download/"));
	}

	/**
	 * A setting by its property name, else by the environment variable of the same name.
	 */
	Optional<String> setting(String property) {
		String variable = property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
		return Optional.ofNullable(this.properties.get(property))
			.or(() -> Optional.ofNullable(this.environment.get(variable)))
			.map(String::strip)
			.filter((value) -> !value.isEmpty());
	}

	/** The directory that keeps fetched servers for later runs. */
	Path cacheDirectory() {
		return setting("eventing.test.cache").map(Path::of)
			.or(() -> Optional.ofNullable(this.environment.get("XDG_CACHE_HOME"))
				.filter((value) -> !value.isBlank())
				.map((value) -> Path.of(value, "eventing-sdk")))
			.orElseGet(() -> Path.of(property("user.home"), ".cache", "eventing-sdk"));
	}

	/** The directory of the JVM's temporary files. */
	Path temporaryDirectory() {
		return Path.of(property("java.io.tmpdir"));
	}

	/** Operating system and processor, as named in NATS release archives. */
	String platform() {
		String os = property("os.name").toLowerCase(Locale.ROOT);
		String arch = property("os.arch").toLowerCase(Locale.ROOT);
		String system = os.startsWith("mac") || os.startsWith("darwin") ? "darwin" : os.replaceAll("\\s.*", "");
		return system + "-" + switch (arch) {
			case "x86_64" -> "amd64";
			case "aarch64" -> "arm64";
			default -> arch;
		};
	}

	private String property(String name) {
		return this.properties.getOrDefault(name, "unknown");
	}

}
