package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a PostgreSQL of this machine keeps its data: in memory if there is room. A
 * database is some hundred files, and tests create and drop many databases.
 */
final class DataDirectory {

	private static final Path MEMORY = Path.of("/dev/shm");

	private static final long ROOM = 2L << 30;

	private DataDirectory() {
	}

	/** Creates a directory for the data of one server. */
	static Path create(String prefix) {
		try {
			return Files.createTempDirectory(parent(Machine.current(), MEMORY, ROOM), prefix);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The directory in which servers have theirs.
	 * @param memory a file system in memory, which need not exist
	 * @param room the bytes that must be free there
	 */
	static Path parent(Machine machine, Path memory, long room) {
		return machine.setting("eventing.test.directory")
			.map(Path::of)
			.orElseGet(() -> hasRoom(memory, room) ? memory : machine.temporaryDirectory());
	}

	private static boolean hasRoom(Path memory, long room) {
		try {
			return Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() >= room;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
