package dev.eventing.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

import dev.eventing.soak.fault.FaultKind;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of the command line. */
final class SoakOptions {

	/** As in the nodes' properties. */
	static final Duration LEASE = Duration.ofSeconds(2);

	@Parameters(index = "0", paramLabel = "MINUTES", description = "How long things go wrong, such as 5 or 0.5.")
	private double minutes;

	@Parameters(index = "1", paramLabel = "SEED", description = "Another seed makes other choices.")
	private long seed;

	@Option(names = "--rate", paramLabel = "N", defaultValue = "40",
			description = "Events per second (${DEFAULT-VALUE}).")
	private int rate;

	@Option(names = "--grace", paramLabel = "SECONDS", defaultValue = "8",
			description = "How long after a lease and the last fault nothing need be committed (${DEFAULT-VALUE}).")
	private int grace;

	@Option(names = "--drain", paramLabel = "SECONDS", defaultValue = "120",
			description = "How long it may take to drain in the end (${DEFAULT-VALUE}).")
	private int drain;

	@Option(names = "--without", paramLabel = "KIND", split = ",", description = "Leaves out these kinds of faults.")
	private Set<FaultKind> without = EnumSet.noneOf(FaultKind.class);

	@Option(names = "--only", paramLabel = "KIND", split = ",", description = "Leaves out all other kinds of faults.")
	private Set<FaultKind> only = EnumSet.allOf(FaultKind.class);

	@Option(names = "--without-operator", description = "No operator pauses projectors or rebuilds a read model.")
	private boolean withoutOperator;

	@Option(names = "--cluster", description = "NATS is a cluster of three servers, with three replicas.")
	private boolean cluster;

	@Option(names = "--logs", paramLabel = "DIRECTORY", required = true, description = "Where the nodes' logs go.")
	private Path logs = Path.of(".");

	long millis() {
		return Math.round(this.minutes * 60_000);
	}

	long seed() {
		return this.seed;
	}

	int rate() {
		return this.rate;
	}

	/** How long nothing need be committed once all is well. */
	Duration patience() {
		return LEASE.plusSeconds(this.grace);
	}

	Duration drain() {
		return Duration.ofSeconds(this.drain);
	}

	Set<FaultKind> kinds() {
		Set<FaultKind> kinds = EnumSet.copyOf(this.only);
		kinds.removeAll(this.without);
		return kinds;
	}

	boolean hasOperator() {
		return !this.withoutOperator;
	}

	boolean hasCluster() {
		return this.cluster;
	}

	Path logs() {
		return this.logs;
	}

}
