package dev.eventing.benchmark.startup;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A JDK to start applications with.
 *
 * @param home its directory
 * @param version such as {@code 25.0.1}
 */
record Jdk(Path home, String version) {

	/**
	 * The JDK in this directory.
	 * @throws IllegalArgumentException if there is none
	 */
	static Jdk of(Path home) {
		Properties release = new Properties();
		try (Reader file = Files.newBufferedReader(home.resolve("release"))) {
			release.load(file);
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("'" + home + "' is no JDK: it has no file 'release'", ex);
		}
		return new Jdk(home, release.getProperty("JAVA_VERSION", "").replace("\"", ""));
	}

	String java() {
		return this.home.resolve("bin/java").toString();
	}

	/** The data it can share between starts. */
	List<Sharing> sharings() {
		int feature = Runtime.Version.parse(this.version).feature();
		return Stream.of(Sharing.values()).filter((sharing) -> feature >= sharing.since()).toList();
	}

}
