package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The distribution's package, unpacked but not installed. The machine's apt sources are
 * copied into a scratch directory with another suite. So apt uses its configured mirror,
 * proxy and keys.
 */
record PackagedNatsServer(Machine machine, ServerCache cache) implements NatsServerSource {

	private static final Map<String, Map<NatsServerLine, String>> SUITES = Map.of("debian",
			Map.of(NatsServerLine.OLDEST, "trixie", NatsServerLine.NEWEST, "sid"), "ubuntu",
			Map.of(NatsServerLine.NEWEST, "devel"));

	private static final Duration LIMIT = Duration.ofMinutes(3);

	@Override
	public String place() {
		return "package archive";
	}

	@Override
	public NatsServerBinary find(NatsServerLine line) throws IOException {
		Map<String, String> release = osRelease();
		String distribution = release.getOrDefault("ID", "unknown");
		String suite = SUITES.getOrDefault(distribution, Map.of()).get(line);
		if (suite == null) {
			throw new IOException("no suite of '" + distribution + "' is known to have " + line.expectation());
		}
		AptSources sources = AptSources.read(this.machine.aptSources(), release.getOrDefault("VERSION_CODENAME", ""));
		return CachedNatsServer.fetch(this.cache, line, (scratch) -> fetch(scratch, sources.inSuite(suite)));
	}

	private static Path fetch(Path scratch, String sources) throws IOException {
		Files.writeString(scratch.resolve("x.sources"), sources);
		Files.createDirectories(scratch.resolve("lists/partial"));
		Files.createDirectories(scratch.resolve("cache/archives/partial"));
		apt(scratch, "update").run();
		apt(scratch, "download", "nats-server").run();
		try (Stream<Path> files = Files.list(scratch)) {
			Path archive = files.filter((file) -> file.getFileName().toString().endsWith(".deb"))
				.findFirst()
				.orElseThrow(() -> new IOException("apt-get fetched no package"));
			new Command(List.of("dpkg-deb", "-x", archive.toString(), "unpacked"), scratch, LIMIT).run();
		}
		return scratch.resolve("unpacked/usr/sbin/nats-server");
	}

	private static Command apt(Path scratch, String... arguments) {
		List<String> line = new ArrayList<>(List.of("apt-get", "-q"));
		Stream
			.of("Dir::Etc::SourceList=" + scratch.resolve("x.sources"), "Dir::Etc::SourceParts=/dev/null",
					"Dir::State::Lists=" + scratch.resolve("lists"), "Dir::Cache=" + scratch.resolve("cache"),
					// apt's own user has no permission to write here.
					"APT::Sandbox::User=root",
					// Without this option an unreachable mirror causes only a warning.
					"APT::Update::Error-Mode=any", "Acquire::Languages=none", "Acquire::Retries=0",
					"Acquire::http::Timeout=5", "Acquire::https::Timeout=5")
			.forEach((option) -> line.addAll(List.of("-o", option)));
		line.addAll(Arrays.asList(arguments));
		return new Command(line, scratch, LIMIT);
	}

	private Map<String, String> osRelease() throws IOException {
		if (!Files.isReadable(this.machine.osRelease())) {
			throw new IOException("this is no Linux distribution with packages");
		}
		return Files.readAllLines(this.machine.osRelease())
			.stream()
			.map((line) -> line.split("=", 2))
			.filter((pair) -> pair.length == 2)
			.collect(Collectors.toMap((pair) -> pair[0], (pair) -> pair[1].replace("\"", ""), (a, b) -> b));
	}

}
