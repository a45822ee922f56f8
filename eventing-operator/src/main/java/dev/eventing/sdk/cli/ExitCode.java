package dev.eventing.sdk.cli;

/**
 * The exit codes of commands. An application that runs a command ends with the same
 * numbers, which {@code CommandExit} of the SDK has.
 */
public final class ExitCode {

	public static final int OK = 0;

	public static final int ERROR = 1;

	public static final int USAGE = 2;

	public static final int NOTHING_FOUND = 3;

	public static final int STAYS_PARKED = 4;

	public static final int NO_APPLICATION = 5;

	public static final int NOT_CONFIRMED = 6;

	public static final int LAGS = 7;

	public static final int NOT_DONE = 8;

	public static final int DIFFERENCES = 9;

	private ExitCode() {
	}

}
