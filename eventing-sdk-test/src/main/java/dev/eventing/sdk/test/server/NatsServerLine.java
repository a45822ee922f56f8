package dev.eventing.sdk.test.server;

import java.util.Locale;

/**
 * The nats-server version for a test run. Set it with the system property
 * {@code eventing.test.nats-version} or the environment variable
 * {@code EVENTING_TEST_NATS_VERSION}, as {@code oldest} or {@code newest}.
 */
public enum NatsServerLine {

	/** The oldest release line the SDK supports: 2.10. */
	OLDEST,

	/** The newest available release line: 2.14 or later. */
	NEWEST,

	/** The newest available line, or else any supported one. The default. */
	ANY;

	/** No older server is started, because the SDK needs features of this version. */
	static final Version FLOOR = new Version(2, 10, 0);

	private static final Version NEWEST_FLOOR = new Version(2, 14, 0);

	static NatsServerLine of(Machine machine) {
		String value = machine.setting("eventing.test.nats-version").orElse("any");
		return switch (value.toLowerCase(Locale.ROOT)) {
			case "oldest" -> OLDEST;
			case "newest" -> NEWEST;
			case "any" -> ANY;
			default -> throw new IllegalArgumentException("eventing.test.nats-version is '" + value
					+ "'. Consider 'oldest' (2.10) or 'newest', or leave it out.");
		};
	}

	boolean accepts(Version version) {
		return switch (this) {
			case OLDEST -> version.major() == FLOOR.major() && version.minor() == FLOOR.minor();
			case NEWEST -> version.isAtLeast(NEWEST_FLOOR);
			case ANY -> version.isAtLeast(FLOOR);
		};
	}

	String expectation() {
		return switch (this) {
			case OLDEST -> "a 2.10 release";
			case NEWEST -> "2.14 or newer";
			case ANY -> "2.10 or newer";
		};
	}

}
