package dev.eventing.sdk.test.server;

import java.nio.file.Path;

/**
 * A NATS server with JetStream for one test run. It listens on loopback only. It keeps
 * its port and its streams over {@link #kill()}, {@link #stop()} and {@link #restart()}.
 * {@link #close()} ends it and deletes its data. If this JVM crashes, the server ends
 * within seconds.
 *
 * <p>
 * Start, stop and pause it from one thread only. Any number of threads may use it.
 */
public interface NatsServer extends AutoCloseable {

	/**
	 * Starts a server from the program that {@link NatsServerBinary#find()} finds, else
	 * in a container if a Docker engine answers.
	 * @throws NatsServerNotFoundException if there is neither
	 * @throws ServerFailedException if it does not start
	 */
	static NatsServer start() {
		NatsServerBinary binary;
		try {
			binary = NatsServerBinary.find();
		}
		catch (NatsServerNotFoundException ex) {
			return DockerEngine.natsInPlaceOf(ex);
		}
		return start(binary);
	}

	/**
	 * Starts a server from the given program.
	 * @throws ServerFailedException when it does not start
	 */
	static NatsServer start(NatsServerBinary binary) {
		return start(binary, "");
	}

	/**
	 * Starts a server from the given program.
	 * @param binary the program
	 * @param configuration additional configuration, in the server's syntax
	 * @throws ServerFailedException when it does not start
	 */
	static NatsServer start(NatsServerBinary binary, String configuration) {
		return LocalNatsServer.start(binary, configuration);
	}

	/** The URL to which clients connect: {@code nats://127.0.0.1:<port>}. */
	String url();

	/** The port on loopback; it stays the same over restarts. */
	int port();

	/** The directory of JetStream's data, as the server sees it. */
	Path storeDirectory();

	/** Kills the server (SIGKILL). Unwritten data is lost. */
	void kill();

	/** Shuts the server down regularly. */
	void stop();

	/**
	 * Starts the server again with the same port and data. Stops it first if it runs.
	 * Returns when it accepts connections and JetStream answers.
	 */
	void restart();

	/** Freezes the server: connections stay open, but the server does not answer. */
	void pause();

	/** Resumes a paused server. */
	void resume();

	/** Ends the server and deletes its data. */
	@Override
	void close();

}
