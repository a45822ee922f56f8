package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A nats-server program on this machine. It is looked for, in this order:
 * <ol>
 * <li>where the system property {@code eventing.test.nats-server} or the environment
 * variable {@code EVENTING_TEST_NATS_SERVER} says: that one or none;</li>
 * <li>on the PATH;</li>
 * <li>in the cache: {@code eventing.test.cache}, else
 * {@code $XDG_CACHE_HOME/eventing-sdk}, else {@code ~/.cache/eventing-sdk};</li>
 * <li>the official release archive, checked against a pinned SHA-256;</li>
 * <li>on Debian and its like, the distribution's own package archive.</li>
 * </ol>
 * What is fetched stays in the cache; nothing is installed and no root is needed.
 *
 * @param path the program
 * @param version what it says it is
 */
public record NatsServerBinary(Path path, Version version) {

	/**
	 * Finds the server of the line that {@link NatsServerLine} says is set.
	 * @return the first that is found
	 * @throws NatsServerNotFoundException with each place tried, when there is none
	 */
	public static NatsServerBinary find() {
		Machine machine = Machine.current();
		return find(NatsServerLine.of(machine), machine);
	}

	/**
	 * Finds a server of one line, whatever is set.
	 * @param line the wanted line
	 * @return the first that is found
	 * @throws NatsServerNotFoundException with each place tried, when there is none
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

	/** Asks the program for its version and takes it if it is of the line. */
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
			// Who names one means it: another one in its place would be a lie.
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
