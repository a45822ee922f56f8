package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

import org.springframework.util.FileSystemUtils;

/**
 * A directory that keeps servers between runs. Entries are created in a scratch directory
 * beside it and then moved, under a lock that other JVMs respect. So a reader sees
 * complete entries only.
 */
record ServerCache(Path directory) {

	private static final Object WITHIN_THIS_JVM = new Object();

	/** The directory of one kind of server. */
	Path kind(String kind) {
		return this.directory.resolve(kind);
	}

	/**
	 * Runs work that adds an entry, exclusively on this machine, with a scratch directory
	 * that is deleted afterwards.
	 */
	<T> T whileLocked(CacheWork<T> work) throws IOException {
		// A file lock belongs to the whole JVM, so its threads need another lock.
		synchronized (WITHIN_THIS_JVM) {
			Files.createDirectories(this.directory);
			try (FileChannel channel = FileChannel.open(this.directory.resolve("lock"), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE)) {
				FileLock lock = channel.lock();
				Path scratch = Files.createTempDirectory(this.directory, "scratch-");
				try {
					return work.run(scratch);
				}
				finally {
					FileSystemUtils.deleteRecursively(scratch);
					lock.release();
				}
			}
		}
	}

	/** Moves a finished file or directory from the scratch directory to its entry. */
	static Path moveIn(Path finished, Path entry) throws IOException {
		Files.createDirectories(entry.resolveSibling(""));
		return Files.move(finished, entry, StandardCopyOption.ATOMIC_MOVE);
	}

	/** Work done while the cache is locked. */
	interface CacheWork<T> {

		T run(Path scratch) throws IOException;

	}

}
