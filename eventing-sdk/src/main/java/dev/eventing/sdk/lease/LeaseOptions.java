package dev.eventing.sdk.lease;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.UUID;

import dev.eventing.sdk.OperatorMustActException;

/**
 * How this node uses leases.
 *
 * @param node the node's name, which appears as the owner of leases; must be unique among
 * all nodes and differ from one start to the next
 * @param duration how long a lease is valid without renewal, and so the time after which
 * another node takes over from a crashed one; at least {@link #SHORTEST}
 */
public record LeaseOptions(String node, Duration duration) {

	/** The default duration of a lease: 5 seconds. */
	public static final Duration DEFAULT_DURATION = Duration.ofSeconds(5);

	/** The shortest duration that leaves time to renew: 500 ms. */
	public static final Duration SHORTEST = Duration.ofMillis(500);

	/**
	 * Checks the values.
	 * @throws OperatorMustActException if the node has no name, or the duration is too
	 * short
	 */
	public LeaseOptions {
		if (node.isBlank()) {
			throw new OperatorMustActException("The node '" + node + "' has no name. Consider host and process id.");
		}
		if (duration.compareTo(SHORTEST) < 0) {
			throw new OperatorMustActException("A lease of " + duration.toMillis()
					+ " ms cannot be renewed in time. Consider " + SHORTEST.toMillis()
					+ " ms or more, such as the default of " + DEFAULT_DURATION.toMillis() + " ms.");
		}
	}

	/** The default node name and duration. */
	public static LeaseOptions defaults() {
		return of(DEFAULT_DURATION);
	}

	/** The default node name: host, process id, and random characters for this start. */
	public static LeaseOptions of(Duration duration) {
		return new LeaseOptions(host() + ":" + ManagementFactory.getRuntimeMXBean().getPid() + "/"
				+ UUID.randomUUID().toString().substring(0, 8), duration);
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown-host";
		}
	}

}
