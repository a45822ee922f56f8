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
 * Directory that keeps servers between runs. Entries are made in a scratch directory
 * beside them and moved in whole, under a lock that other JVMs respect: a reader sees an
 * entry complete or not at all.
 */
record ServerCache(Path directory) {

	private static final Object WITHIN_THIS_JVM = new Object();

	/** Directory of one kind of server. */
	Path kind(String kind) {
		return this.directory.resolve(kind);
	}

	/**
	 * Runs work that adds an entry, alone on this machine, with a scratch directory that
	 * is gone afterwards.
	 */
	<T> T whileLocked(CacheWork<T> work) throws IOException {
		// A file lock is held by the whole JVM, so its own threads need one more.
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
