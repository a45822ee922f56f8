package dev.eventing.sdk.cli;

/** The exit codes of commands. */
final class ExitCode {

	static final int OK = 0;

	static final int ERROR = 1;

	static final int USAGE = 2;

	static final int NOTHING_FOUND = 3;

	static final int STAYS_PARKED = 4;

	static final int NO_APPLICATION = 5;

	static final int NOT_CONFIRMED = 6;

	static final int LAGS = 7;

	static final int NOT_DONE = 8;

	static final int DIFFERENCES = 9;

	private ExitCode() {
	}

}
