package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * PostgreSQL refuses to run as root, but tests in containers often run as root. In a user
 * namespace the process is no longer root, but keeps access to root's files.
 */
final class UnprivilegedUser {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private UnprivilegedUser() {
	}

	/** The prefix of a command that must not run as root. */
	static List<String> prefix() {
		try {
			if (!Command.of(LIMIT, "id", "-u").run().equals("0")) {
				return List.of();
			}
			String inside = Command.of(LIMIT, "unshare", "-U", "id", "-u").run();
			if (inside.equals("0")) {
				throw new IOException("'unshare -U' leaves the user root");
			}
			return List.of("unshare", "-U");
		}
		catch (IOException ex) {
			throw new ServerFailedException("PostgreSQL does not run as root, and a user namespace is not available: "
					+ ex.getMessage() + ". Consider running the tests as another user, allowing user namespaces to"
					+ " the container, or -Deventing.test.servers=docker.", ex);
		}
	}

}
