package dev.eventing.sdk.liveview;

import java.time.Duration;

/**
 * How live views are served to browsers. Limits are those of one node.
 *
 * @param path the path below which all is served, such as {@code /eventing/live}
 * @param maxConnections the most streams that are open
 * @param maxConnectionsPerPrincipal the most streams that one user has open; streams
 * without a user are not counted
 * @param maxKeysPerConnection the most keys of one stream
 * @param maxKeys the most different keys that are followed
 * @param ringFrames how many frames of a key are kept for streams that resume, or are
 * slow; beyond that they get the whole state
 * @param keepAlive after how long a silence a stream sends a comment
 * @param maxAge how long a stream lasts before its client has to connect again
 */
public record LiveViewWebOptions(String path, int maxConnections, int maxConnectionsPerPrincipal,
		int maxKeysPerConnection, int maxKeys, int ringFrames, Duration keepAlive, Duration maxAge) {

	private static final Duration SHORTEST_KEEP_ALIVE = Duration.ofMillis(100);

	private static final Duration SHORTEST_AGE = Duration.ofSeconds(1);

	/** Below {@code /eventing/live}, 5,000 streams, 20 of one user, 64 keys of each. */
	public static final LiveViewWebOptions DEFAULTS = new LiveViewWebOptions("/eventing/live", 5_000, 20, 64, 20_000,
			64, Duration.ofSeconds(5), Duration.ofMinutes(15));

	/**
	 * Checks the options.
	 * @throws InvalidLiveViewException if one is not valid
	 */
	public LiveViewWebOptions {
		// A pattern would route requests that are not for live views.
		if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
			throw new InvalidLiveViewException("The path of live views is '" + path + "'. Consider '/eventing/live': "
					+ "a slash at the start, none at the end, and letters, digits and '._~-' between slashes.");
		}
		atLeastOne("connections", maxConnections);
		atLeastOne("connections of one user", maxConnectionsPerPrincipal);
		atLeastOne("keys of one connection", maxKeysPerConnection);
		atLeastOne("followed keys", maxKeys);
		atLeastOne("frames in a ring", ringFrames);
		atLeast("The time between keep-alives", keepAlive, SHORTEST_KEEP_ALIVE);
		atLeast("The age of connections", maxAge, SHORTEST_AGE);
	}

	private static void atLeastOne(String what, int limit) {
		if (limit < 1) {
			throw new InvalidLiveViewException(
					"The limit of " + what + " of live views is " + limit + ". Consider at least 1.");
		}
	}

	private static void atLeast(String what, Duration time, Duration least) {
		if (time.compareTo(least) < 0) {
			throw new InvalidLiveViewException(what + " of live views is " + time.toMillis() + " ms. Consider at least "
					+ least.toMillis() + " ms.");
		}
	}

}
