package dev.eventing.soak.fault;

import java.io.IOException;
import java.util.Optional;

import dev.eventing.soak.SmallDisk;

/** The disk of a server has no room, or only a little, which the server soon uses. */
final class DiskFault implements Fault {

	private static final int MOST_KILOBYTES = 128;

	private final Optional<SmallDisk> disk;

	private final Repair repair;

	/**
	 * Makes one.
	 * @param repair what an administrator does once there is room again
	 */
	DiskFault(Optional<SmallDisk> disk, Repair repair) {
		this.disk = disk;
		this.repair = repair;
	}

	@Override
	public void begin(Step step) throws IOException {
		disk().fill(Math.floorMod(step.dice(), MOST_KILOBYTES));
	}

	@Override
	public void end(Step step) throws Exception {
		disk().free();
		this.repair.run();
	}

	private SmallDisk disk() {
		return this.disk.orElseThrow(() -> new IllegalStateException("No server has a small disk."));
	}

	/** What an administrator does. */
	interface Repair {

		void run() throws Exception;

	}

}
