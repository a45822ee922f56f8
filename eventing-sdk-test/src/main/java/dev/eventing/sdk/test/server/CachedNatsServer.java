package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The newest nats-server an earlier run left in the cache. */
record CachedNatsServer(ServerCache cache) implements NatsServerSource {

	private static final String KIND = "nats-server";

	/** Keeps a program under its version. */
	static NatsServerBinary keep(ServerCache cache, NatsServerBinary fetched) throws IOException {
		Path entry = cache.kind(KIND).resolve(fetched.version().toString()).resolve("nats-server");
		return new NatsServerBinary(ServerCache.moveIn(fetched.path(), entry), fetched.version());
	}

	@Override
	public String place() {
		return "cache '" + this.cache.kind(KIND) + "'";
	}

	@Override
	public NatsServerBinary find(NatsServerLine line) throws IOException {
		Path newest = entries().stream()
			.filter((entry) -> line.accepts(version(entry)))
			.max(Comparator.comparing(CachedNatsServer::version))
			.orElseThrow(() -> new IOException("holds none that is " + line.expectation()));
		return NatsServerBinary.inspect(newest.resolve("nats-server"), line);
	}

	private List<Path> entries() throws IOException {
		Path directory = this.cache.kind(KIND);
		if (!Files.isDirectory(directory)) {
			return List.of();
		}
		try (Stream<Path> entries = Files.list(directory)) {
			return entries.filter((entry) -> entry.getFileName().toString().matches("\\d+\\.\\d+\\.\\d+")).toList();
		}
	}

	private static Version version(Path entry) {
		return Version.parse(entry.getFileName().toString());
	}

}
