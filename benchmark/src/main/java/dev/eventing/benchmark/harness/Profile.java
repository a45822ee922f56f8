package dev.eventing.benchmark.harness;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * Records what the JVM does while one contender plays its rounds.
 *
 * @param contender the contender's id, or null for none
 * @param directory where the recording goes, as {@code <contender>.jfr}; the last round's
 * stays
 */
public record Profile(@Nullable String contender, Path directory) {

	<T> T around(String entry, Callable<T> round) throws Exception {
		if (!entry.equals(this.contender)) {
			return round.call();
		}
		try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
			recording.start();
			T result = round.call();
			recording.stop();
			recording.dump(this.directory.resolve(entry + ".jfr"));
			return result;
		}
	}

}
