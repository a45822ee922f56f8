package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A nats-server program on this machine. The search uses this order:
 * <ol>
 * <li>the program named by the system property {@code eventing.test.nats-server} or the
 * environment variable {@code EVENTING_TEST_NATS_SERVER}: that one or none;</li>
 * <li>the PATH;</li>
 * <li>the cache: {@code eventing.test.cache}, else {@code $XDG_CACHE_HOME/eventing-sdk},
 * else {@code ~/.cache/eventing-sdk};</li>
 * <li>the official release archive, checked against a pinned SHA-256;</li>
 * <li>on Debian and similar systems, the distribution's package archive.</li>
 * </ol>
 * A fetched program stays in the cache. Nothing is installed, and no root permission is
 * needed.
 *
 * @param path the program
 * @param version the version that it reports
 */
public record NatsServerBinary(Path path, Version version) {

	/**
	 * Finds a server of the configured {@link NatsServerLine}.
	 * @return the first that is found
	 * @throws NatsServerNotFoundException if there is none; lists each place that was
	 * tried
	 */
	public static NatsServerBinary find() {
		Machine machine = Machine.current();
		return find(NatsServerLine.of(machine), machine);
	}

	/**
	 * Finds a server of one line, regardless of the configuration.
	 * @param line the required line
	 * @return the first that is found
	 * @throws NatsServerNotFoundException if there is none; lists each place that was
	 * tried
	 */
	public static NatsServerBinary find(NatsServerLine line) {
		return find(line, Machine.current());
	}

	static NatsServerBinary find(NatsServerLine line, Machine machine) {
		List<NatsServerNotFoundException.Attempt> attempts = new ArrayList<>();
		for (Search search : searches(line, machine)) {
			try {
				return search.source().find(search.line());
			}
			catch (IOException ex) {
				attempts.add(new NatsServerNotFoundException.Attempt(search.source().place(), reason(ex)));
			}
		}
		throw new NatsServerNotFoundException(line, attempts);
	}

	/** Runs the program to read its version, and accepts it if it belongs to the line. */
	static NatsServerBinary inspect(Path path, NatsServerLine line) throws IOException {
		if (!Files.isExecutable(path)) {
			throw new IOException("'" + path + "' is no executable file");
		}
		Version version;
		try {
			version = Version.parse(Command.of(Duration.ofSeconds(10), path.toString(), "--version").run());
		}
		catch (IllegalArgumentException ex) {
			throw new IOException("'" + path + "' does not say its version: " + ex.getMessage(), ex);
		}
		if (!line.accepts(version)) {
			throw new IOException("'" + path + "' is " + version + ", wanted is " + line.expectation());
		}
		return new NatsServerBinary(path, version);
	}

	private static List<Search> searches(NatsServerLine line, Machine machine) {
		NamedNatsServer named = new NamedNatsServer(machine);
		if (named.isNamed()) {
			// If a program is named, no other one may replace it.
			return List.of(new Search(named, line));
		}
		ServerCache cache = new ServerCache(machine.cacheDirectory());
		NatsServerSource path = new NatsServerOnPath(machine);
		NatsServerSource cached = new CachedNatsServer(cache);
		NatsServerSource release = new ReleasedNatsServer(machine, cache);
		NatsServerSource packaged = new PackagedNatsServer(machine, cache);
		NatsServerLine preferred = (line == NatsServerLine.ANY) ? NatsServerLine.NEWEST : line;
		List<Search> searches = new ArrayList<>(List.of(new Search(named, line), new Search(path, line),
				new Search(cached, preferred), new Search(release, preferred), new Search(packaged, preferred)));
		if (line == NatsServerLine.ANY) {
			searches.add(new Search(cached, NatsServerLine.ANY));
			searches.add(new Search(packaged, NatsServerLine.OLDEST));
		}
		return searches;
	}

	private static String reason(IOException ex) {
		String message = ex.getMessage();
		return (message != null) ? message : ex.getClass().getSimpleName();
	}

	private record Search(NatsServerSource source, NatsServerLine line) {

	}

}
