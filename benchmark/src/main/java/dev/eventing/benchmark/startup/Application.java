package dev.eventing.benchmark.startup;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** An application that handles an event that waits for it. For one thread. */
interface Application extends AutoCloseable {

	String name();

	/** Class path, main class and arguments. */
	List<String> arguments();

	/** Stores an event for the next start. */
	void send() throws IOException;

	/**
	 * Waits for the event that was sent last.
	 * @param output the output of the application
	 * @return when it was applied
	 * @throws IOException if the application ends before
	 */
	Instant awaitApplied(BufferedReader output) throws IOException, InterruptedException;

	@Override
	void close();

}
