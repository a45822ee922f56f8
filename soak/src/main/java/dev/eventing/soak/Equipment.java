package dev.eventing.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.eventing.soak.fault.FaultKind;
import org.jspecify.annotations.Nullable;

/**
 * What some kinds of faults need, and a machine may lack: file systems that can be full,
 * a pooler, a cluster. Those that lack it are left out, by name.
 */
public final class Equipment implements AutoCloseable {

	/** PostgreSQL's log alone may take 1 GB before it is reused. */
	private static final long POSTGRES_KILOBYTES = 4L << 20;

	private static final long NATS_KILOBYTES = 1L << 20;

	private final boolean cluster;

	private final @Nullable SmallDisk postgresDisk;

	private final @Nullable SmallDisk natsDisk;

	private final @Nullable Path pooler;

	private final Map<FaultKind, String> missing = new EnumMap<>(FaultKind.class);

	/**
	 * Looks for it.
	 * @param kinds what is to go wrong; what none of them needs is not looked for
	 */
	Equipment(Set<FaultKind> kinds, boolean cluster) {
		this.cluster = cluster;
		this.postgresDisk = disk(kinds, FaultKind.POSTGRES_DISK_FULL, "postgres", POSTGRES_KILOBYTES);
		this.natsDisk = disk(kinds, FaultKind.NATS_DISK_FULL, "nats", NATS_KILOBYTES);
		this.pooler = kinds.contains(FaultKind.NODE_BEHIND_POOLER) ? Pooler.program().orElse(null) : null;
		if (this.pooler == null) {
			lacks(kinds, FaultKind.NODE_BEHIND_POOLER,
					"no pgbouncer is on the PATH or in /usr/sbin; consider installing Debian's package 'pgbouncer'");
		}
		if (!cluster) {
			lacks(kinds, FaultKind.NATS_LEADER_MOVED, "there is one NATS server; consider --cluster");
		}
	}

	private @Nullable SmallDisk disk(Set<FaultKind> kinds, FaultKind kind, String name, long kilobytes) {
		if (!kinds.contains(kind)) {
			return null;
		}
		try {
			return SmallDisk.mount(name, kilobytes);
		}
		catch (IOException ex) {
			lacks(kinds, kind, String.valueOf(ex.getMessage()));
			return null;
		}
	}

	private void lacks(Set<FaultKind> kinds, FaultKind kind, String why) {
		if (kinds.contains(kind)) {
			this.missing.put(kind, why);
		}
	}

	/** Whether NATS is a cluster of three servers. */
	boolean isCluster() {
		return this.cluster;
	}

	/** Where PostgreSQL has its data. */
	public Optional<SmallDisk> postgresDisk() {
		return Optional.ofNullable(this.postgresDisk);
	}

	/** Where the first NATS server has its data. */
	public Optional<SmallDisk> natsDisk() {
		return Optional.ofNullable(this.natsDisk);
	}

	/** PgBouncer's program. */
	public Optional<Path> pooler() {
		return Optional.ofNullable(this.pooler);
	}

	/** Which kinds of faults are left out, and why. */
	Map<FaultKind, String> missing() {
		return Map.copyOf(this.missing);
	}

	/** Once the servers have ended. */
	@Override
	public void close() {
		postgresDisk().ifPresent(SmallDisk::close);
		natsDisk().ifPresent(SmallDisk::close);
	}

}
