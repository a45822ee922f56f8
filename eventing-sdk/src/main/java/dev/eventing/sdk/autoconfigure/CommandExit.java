package dev.eventing.sdk.autoconfigure;

import java.util.function.IntConsumer;

/**
 * Receives the exit code of a command. The command line ends with the same code.
 */
interface CommandExit extends IntConsumer {

	int OK = 0;

	int ERROR = 1;

	int NOTHING_FOUND = 3;

	int NOT_DONE = 8;

	int DIFFERENCES = 9;

}
