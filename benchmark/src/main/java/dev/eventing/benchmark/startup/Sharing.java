package dev.eventing.benchmark.startup;

import java.nio.file.Path;
import java.util.List;

/** The data that a start takes over from an earlier run of the same application. */
enum Sharing {

	/** Nothing; the JDK brings its own archive classes. */
	PLAIN("plain", 17, "", ""),

	/** Classes, parsed and verified. */
	CLASS_DATA("class data", 17, "-XX:ArchiveClassesAtExit=", "-XX:SharedArchiveFile="),

	/** Classes, loaded and linked, and profiles of methods. */
	AOT_CACHE("AOT cache", 25, "-XX:AOTCacheOutput=", "-XX:AOTCache=");

	private final String label;

	private final int since;

	private final String training;

	private final String using;

	Sharing(String label, int since, String training, String using) {
		this.label = label;
		this.since = since;
		this.training = training;
		this.using = using;
	}

	String label() {
		return this.label;
	}

	/** The first JDK that has all of it. */
	int since() {
		return this.since;
	}

	boolean hasArchive() {
		return !this.using.isEmpty();
	}

	/** Options of a run that writes the archive when it ends. */
	List<String> training(Path archive) {
		return hasArchive() ? List.of(this.training + archive) : List.of();
	}

	/** Options of a run that uses the archive. */
	List<String> using(Path archive) {
		return hasArchive() ? List.of(this.using + archive) : List.of();
	}

}
