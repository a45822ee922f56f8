package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A shell that continues after this JVM until it has ended a server and deleted its
 * directory. It reads from a pipe to which only this JVM can write. However the JVM ends,
 * the system closes the pipe and the shell wakes up.
 */
final class Watchdog implements AutoCloseable {

	private static final String SCRIPT = """
			trap '' INT TERM HUP
			pid=
			while read -r line; do pid=$line; done
			if [ -n "$pid" ]; then
			  kill -s "$2" "$pid"
			  tries=0
			  while kill -0 "$pid" 2>/dev/null && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
			  kill -s KILL "$pid" 2>/dev/null
			fi
			rm -rf "$1"
			""";

	private final Process shell;

	private long guarded;

	private Watchdog(Process shell) {
		this.shell = shell;
	}

	/**
	 * Starts one.
	 * @param directory the directory to delete after the end of this JVM
	 * @param signal the signal that ends the server then
	 */
	static Watchdog over(Path directory, String signal) {
		try {
			return new Watchdog(
					new ProcessBuilder(List.of("/bin/sh", "-c", SCRIPT, "watchdog", directory.toString(), signal))
						.redirectOutput(ProcessBuilder.Redirect.DISCARD)
						.redirectError(ProcessBuilder.Redirect.DISCARD)
						.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	synchronized void guard(long pid) {
		this.guarded = pid;
		tell(Long.toString(pid));
	}

	/** Removes a process that has ended, because another process may soon get its pid. */
	synchronized void release(long pid) {
		if (this.guarded == pid) {
			tell("");
		}
	}

	@Override
	public void close() {
		this.shell.destroyForcibly();
	}

	private void tell(String line) {
		try {
			OutputStream pipe = this.shell.getOutputStream();
			pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
			pipe.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The watchdog of a test server is gone", ex);
		}
	}

}
