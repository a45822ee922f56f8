package dev.eventing.samples.dashboard.run;

import java.nio.file.Path;
import java.util.List;

/**
 * The options of a run.
 *
 * @param once whether it ends after the check in a browser
 * @param port where the page is; 0 takes any
 * @param eventsPerSecond how many events come in a second
 * @param files the folder for logs and pictures
 */
record DashboardOptions(boolean once, int port, int eventsPerSecond, Path files) {

	/**
	 * The options that arguments of the script stand for.
	 * @throws IllegalArgumentException if one is not known, or no number
	 */
	static DashboardOptions of(List<String> arguments) {
		DashboardOptions options = new DashboardOptions(false, 8585, 400, Path.of("target"));
		for (String argument : arguments) {
			options = options.with(argument);
		}
		return options;
	}

	private DashboardOptions with(String argument) {
		String value = argument.substring(argument.indexOf('=') + 1);
		if (argument.equals("--once")) {
			return new DashboardOptions(true, this.port, this.eventsPerSecond, this.files);
		}
		if (argument.startsWith("--port=")) {
			return new DashboardOptions(this.once, Integer.parseInt(value), this.eventsPerSecond, this.files);
		}
		if (argument.startsWith("--rate=")) {
			return new DashboardOptions(this.once, this.port, Integer.parseInt(value), this.files);
		}
		if (argument.startsWith("--files=")) {
			return new DashboardOptions(this.once, this.port, this.eventsPerSecond, Path.of(value));
		}
		throw new IllegalArgumentException(
				"Argument '" + argument + "' is not known. Consider --once, --port=N, --rate=N or --files=FOLDER.");
	}

}
