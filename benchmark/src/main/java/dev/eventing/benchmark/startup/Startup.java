package dev.eventing.benchmark.startup;

import picocli.CommandLine;

/** The entry of the start-up measurement; {@code --help} shows its options. */
public final class Startup {

	private Startup() {
	}

	/** Ends the JVM with 0, 1 if the run failed, or 2 if the arguments are wrong. */
	public static void main(String... args) {
		System.exit(new CommandLine(new StartupCommand()).execute(args));
	}

}
