package dev.eventing.soak;

import java.io.PrintStream;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * The log of the run: lines with the time of day, as in the nodes' logs.
 */
final class Log {

	private final PrintStream out;

	Log(PrintStream out) {
		this.out = out;
	}

	void line(String words) {
		this.out.println(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS) + " " + words);
	}

}
