package dev.eventing.benchmark.startup;

import java.io.BufferedReader;
import java.io.IOException;

/** The output of a process. */
final class Lines {

	private Lines() {
	}

	/**
	 * Reads up to the line that begins like this.
	 * @return the rest of that line
	 * @throws IOException if the process ends before
	 */
	static String await(BufferedReader output, String beginning) throws IOException {
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			if (line.startsWith(beginning)) {
				return line.substring(beginning.length());
			}
		}
		throw new IOException("The process ended before it printed '" + beginning + "'.");
	}

}
