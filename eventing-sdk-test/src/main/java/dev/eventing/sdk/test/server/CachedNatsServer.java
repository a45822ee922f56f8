package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The newest nats-server that an earlier run stored in the cache. */
record CachedNatsServer(ServerCache cache) implements NatsServerSource {

	private static final String KIND = "nats-server";

	/** Fetches a program and stores it under its version. */
	static NatsServerBinary fetch(ServerCache cache, NatsServerLine line, ServerCache.CacheWork<Path> work)
			throws IOException {
		return cache.whileLocked((scratch) -> {
			CachedNatsServer cached = new CachedNatsServer(cache);
			if (cached.newest(line).isPresent()) {
				// Another JVM fetched it while this one waited for the lock.
				return cached.find(line);
			}
			NatsServerBinary fetched = NatsServerBinary.inspect(work.run(scratch), line);
			Path entry = cache.kind(KIND).resolve(fetched.version().toString()).resolve("nats-server");
			return new NatsServerBinary(ServerCache.moveIn(fetched.path(), entry), fetched.version());
		});
	}

	@Override
	public String place() {
		return "cache '" + this.cache.kind(KIND) + "'";
	}

	@Override
	public NatsServerBinary find(NatsServerLine line) throws IOException {
		Path newest = newest(line).orElseThrow(() -> new IOException("holds none that is " + line.expectation()));
		return NatsServerBinary.inspect(newest, line);
	}

	private Optional<Path> newest(NatsServerLine line) throws IOException {
		return entries().stream()
			.filter((entry) -> line.accepts(version(entry)))
			.max(Comparator.comparing(CachedNatsServer::version))
			.map((entry) -> entry.resolve("nats-server"))
			.filter(Files::isExecutable);
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
