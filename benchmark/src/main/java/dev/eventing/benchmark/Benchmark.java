package dev.eventing.benchmark;

import picocli.CommandLine;

/** The benchmark's entry; {@code --help} says what it takes. */
public final class Benchmark {

	private Benchmark() {
	}

	/** Ends the JVM with 0, 1 if the run failed, or 2 if the arguments are wrong. */
	public static void main(String... args) {
		System.exit(new CommandLine(new BenchmarkCommand()).execute(args));
	}

}
