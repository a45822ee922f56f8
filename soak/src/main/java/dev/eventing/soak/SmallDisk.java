package dev.eventing.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A file system in memory for the data of one server, which can be full: its size is
 * changed to what is used, so that nothing has to be written to fill it. It ends with
 * this JVM, however that ends. Only a process that may mount file systems can have one.
 */
public final class SmallDisk implements AutoCloseable {

	/** The shell waits for the end of its input, which ends with this JVM. */
	private static final String SCRIPT = """
			trap '' INT TERM HUP
			mount -t tmpfs -o "size=$2k,mode=0700" eventing-soak "$1" || exit 1
			echo mounted
			read -r line
			umount -l "$1"
			rmdir "$1"
			""";

	private static final int ATTEMPTS = 5;

	private static final int END_SECONDS = 20;

	private final Path directory;

	private final long kilobytes;

	private final Process shell;

	private SmallDisk(Path directory, long kilobytes, Process shell) {
		this.directory = directory;
		this.kilobytes = kilobytes;
		this.shell = shell;
	}

	/**
	 * Mounts one.
	 * @param kilobytes its size while it is not full; takes memory only where it is used
	 * @throws IOException if this process may not mount it; says why
	 */
	static SmallDisk mount(String name, long kilobytes) throws IOException {
		Path directory = Files.createTempDirectory("eventing-soak-" + name + "-");
		Process shell = new ProcessBuilder(
				List.of("/bin/sh", "-c", SCRIPT, "small-disk", directory.toString(), Long.toString(kilobytes)))
			.redirectErrorStream(true)
			.start();
		String said = new BufferedReader(shell.inputReader(StandardCharsets.UTF_8)).readLine();
		if (!"mounted".equals(said)) {
			shell.destroyForcibly();
			Files.delete(directory);
			throw new IOException("no tmpfs can be mounted: " + said);
		}
		return new SmallDisk(directory, kilobytes, shell);
	}

	Path directory() {
		return this.directory;
	}

	/**
	 * Fills the disk up to the given room. Retries when servers write in between.
	 * @throws IOException if the size cannot be changed
	 */
	public void fill(long room) throws IOException {
		for (int left = ATTEMPTS; true; left--) {
			try {
				resize(used() + room);
				return;
			}
			catch (IOException ex) {
				if (left == 1) {
					throw ex;
				}
			}
		}
	}

	/** Has room again. */
	public void free() throws IOException {
		resize(this.kilobytes);
	}

	private long used() throws IOException {
		FileStore store = Files.getFileStore(this.directory);
		return (store.getTotalSpace() - store.getUnallocatedSpace()) / 1024;
	}

	private void resize(long size) throws IOException {
		Process mount = new ProcessBuilder("mount", "-o", "remount,size=" + size + "k", this.directory.toString())
			.redirectErrorStream(true)
			.start();
		String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		try {
			if (mount.waitFor() != 0) {
				throw new IOException("The size of " + this.directory + " cannot be changed: " + said);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted while the size of " + this.directory + " is changed", ex);
		}
	}

	/** Once its server has ended. */
	@Override
	public void close() {
		try {
			this.shell.getOutputStream().close();
			if (!this.shell.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException(this.directory + " is still mounted.");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
