package dev.eventing.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The processor time of the NATS and PostgreSQL servers. */
final class ServerCpu {

	private static final double NANOS_PER_SECOND = 1e9;

	/** The unit of Linux in {@code /proc}, whatever its kernel counts in. */
	private static final double TICKS_PER_SECOND = 100;

	// The third field, the state, is the first after the name; of children are the
	// sixteenth and the seventeenth.
	private static final int USER_TIME_OF_CHILDREN = 16 - 3;

	private static final int SYSTEM_TIME_OF_CHILDREN = 17 - 3;

	private ServerCpu() {
	}

	/**
	 * Since they began, in seconds. The servers are all children of this process, and
	 * theirs: PostgreSQL has one for each connection. On Linux those that have ended
	 * count too, such as a pass of autovacuum; elsewhere they are missing. Servers in
	 * containers are no children of this process, and have 0.
	 */
	static double seconds() {
		return ProcessHandle.current()
			.descendants()
			.mapToDouble((process) -> ownSeconds(process) + endedChildrenSeconds(process.pid()))
			.sum();
	}

	private static double ownSeconds(ProcessHandle process) {
		return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / NANOS_PER_SECOND;
	}

	private static double endedChildrenSeconds(long pid) {
		try {
			String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
			// The name is in parentheses, and may have spaces and parentheses itself.
			String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
			return (Long.parseLong(fields[USER_TIME_OF_CHILDREN]) + Long.parseLong(fields[SYSTEM_TIME_OF_CHILDREN]))
					/ TICKS_PER_SECOND;
		}
		catch (IOException ex) {
			// The process has ended, or this is not Linux.
			return 0;
		}
	}

}
